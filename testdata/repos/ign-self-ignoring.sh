#!/usr/bin/env bash
# hazard: An untracked .gitignore that ignores itself and everything else.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*' >.gitignore
touch u d/u
