#!/usr/bin/env bash
# hazard: Tracked names like .gitx, .git~2, ..git, git~1 and .git with a blank.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.protectNTFS false
git config core.protectHFS false
mkdir d/.gitx
for name in .gitx d/.gitx/x 'git~1' 'd/git~1' ..git '.git ' .git. .gi; do echo "$name" >"$name"; done
commit
