#!/usr/bin/env bash
# hazard: The flag on the last entry of a version 4 index.
# verdict: refused
# refused: flagged-index
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git update-index --index-version 4
git update-index --assume-unchanged d/b.txt
echo more >>d/b.txt
