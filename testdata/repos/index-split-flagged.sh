#!/usr/bin/env bash
# hazard: A split index that hides a modified file behind assume-unchanged.
# verdict: refused
# refused: flagged-index
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git update-index --split-index
git update-index --assume-unchanged a.txt
echo more >>a.txt
