#!/usr/bin/env bash
# hazard: .git is an empty directory and the folder lies in an outer, clean repository: git answers for the outer one.
# verdict: refused
# refused: git-failed not-root
# git: clean
# way: -
# workspace: outer/ws
set -eu
. "$FIXTURE/prelude.bash"

plain outer
mkdir ws
mv a.txt ws/a.txt
commit moved
mkdir ws/.git
