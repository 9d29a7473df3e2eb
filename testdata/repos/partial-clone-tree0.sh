#!/usr/bin/env bash
# hazard: A partial clone without trees: a plain git status fetches from the remote and writes packs.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain src
git config uploadpack.allowFilter true
cd ..
git clone -q --filter=tree:0 --no-checkout --template= "file://$ROOT/src" ws
