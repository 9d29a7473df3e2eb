#!/usr/bin/env bash
# hazard: An untracked folder that holds nothing but a .git folder with a file.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir -p nest/.git
echo hidden >nest/.git/hidden
