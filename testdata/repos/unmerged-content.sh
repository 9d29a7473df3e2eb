#!/usr/bin/env bash
# hazard: A merge conflict in one file.
# verdict: refused
# refused: flagged-index
# git: dirty
# says: "UU a.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git checkout -q -b side
echo side >a.txt
commit side
git checkout -q main
echo main >a.txt
commit main
git merge -q side >/dev/null || :
