#!/usr/bin/env bash
# hazard: A pack with .keep and .rev files and a bitmap.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git -c pack.writeReverseIndex=true repack -q -a -d --write-bitmap-index
for pack in .git/objects/pack/*.pack; do : >"${pack%.pack}.keep"; done
