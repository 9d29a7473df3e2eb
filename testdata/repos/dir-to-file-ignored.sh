#!/usr/bin/env bash
# hazard: A folder was replaced by a file that an exclude rule hides.
# verdict: dirty
# git: dirty
# says: " D d/b.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo d >.git/info/exclude
rm -r d
echo d >d
