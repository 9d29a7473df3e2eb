#!/usr/bin/env bash
# hazard: A .git file that names a symbolic link to the git directory.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mv .git ../real
ln -s real ../alias
echo 'gitdir: ../alias' >.git
