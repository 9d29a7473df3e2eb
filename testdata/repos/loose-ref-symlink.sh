#!/usr/bin/env bash
# hazard: The branch file is a symbolic link to another branch's file.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git branch other
rm .git/refs/heads/main
ln -s other .git/refs/heads/main
