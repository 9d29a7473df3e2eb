#!/usr/bin/env bash
# hazard: An assume-unchanged file was deleted: git says clean.
# verdict: refused
# refused: flagged-index
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git update-index --assume-unchanged a.txt
rm a.txt
