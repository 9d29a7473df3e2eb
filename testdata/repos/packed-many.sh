#!/usr/bin/env bash
# hazard: Objects in several packs and loose, some of them twice.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git repack -q -d
echo more >>a.txt
commit two
git repack -q -d
echo more >>a.txt
commit three
mv .git/objects/pack ../pack
for pack in ../pack/*.pack; do git unpack-objects -q <"$pack"; done
mkdir .git/objects/pack
mv ../pack/* .git/objects/pack
