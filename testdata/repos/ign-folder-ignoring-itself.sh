#!/usr/bin/env bash
# hazard: Folders of tools that carry a .gitignore with a star.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir -p .cache/x d/.cache
echo '*' | tee .cache/.gitignore >d/.cache/.gitignore
touch .cache/x/y d/.cache/z
