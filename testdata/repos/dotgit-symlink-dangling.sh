#!/usr/bin/env bash
# hazard: .git is a symbolic link to nowhere.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mv .git ../real
ln -s ../gone .git
