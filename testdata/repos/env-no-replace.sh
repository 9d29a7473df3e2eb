#!/usr/bin/env bash
# hazard: GIT_NO_REPLACE_OBJECTS would hide a replacement that changes the status.
# verdict: dirty
# git: dirty
# says: "M  a.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
echo more >>a.txt
git add a.txt
other=$(git commit-tree -m other "$(git write-tree)")
git reset -q --hard
git replace HEAD "$other"
echo GIT_NO_REPLACE_OBJECTS=1 >../env
