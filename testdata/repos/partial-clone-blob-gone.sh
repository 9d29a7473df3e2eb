#!/usr/bin/env bash
# hazard: A partial clone whose promised blob was dropped again: the status needs none, and must fetch none.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain src
git config uploadpack.allowFilter true
cd ..
git clone -q --filter=blob:none --no-checkout --template= "file://$ROOT/src" ws
cd ws
cp -p ../src/a.txt .
cp -Rp ../src/d .
git read-tree HEAD
git update-index -q --refresh
