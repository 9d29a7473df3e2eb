#!/usr/bin/env bash
# hazard: A folder was replaced by a file.
# verdict: dirty
# git: dirty
# says: " D d/b.txt"
# says: "?? d"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
rm -r d
echo d >d
