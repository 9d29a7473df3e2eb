#!/usr/bin/env bash
# hazard: A .git file that names another .git file.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mv .git ../real
mkdir ../hop
echo 'gitdir: ../real' >../hop/.git
echo 'gitdir: ../hop/.git' >.git
