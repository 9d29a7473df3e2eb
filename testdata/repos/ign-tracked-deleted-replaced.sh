#!/usr/bin/env bash
# hazard: A folder with a tracked file was replaced by an ignored file.
# verdict: dirty
# git: dirty
# says: " D d/b.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo /d >.git/info/exclude
rm -r d
touch d
