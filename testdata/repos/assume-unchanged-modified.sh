#!/usr/bin/env bash
# hazard: An assume-unchanged file was modified: git says clean.
# verdict: refused
# refused: flagged-index
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git update-index --assume-unchanged a.txt
echo more >>a.txt
