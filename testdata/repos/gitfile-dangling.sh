#!/usr/bin/env bash
# hazard: A .git file that names a directory that is gone.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mv .git ../real
echo 'gitdir: ../gone' >.git
