#!/usr/bin/env bash
# hazard: A binary file was deleted, another one added and staged.
# verdict: dirty
# git: dirty
# says: " D b1"
# says: "A  b2"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf 'b\0one' >b1
commit
rm b1
printf 'b\0two' >b2
git add b2
