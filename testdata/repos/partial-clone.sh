#!/usr/bin/env bash
# hazard: A partial clone without blobs, all of HEAD's fetched.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain src
git config uploadpack.allowFilter true
cd ..
git clone -q --filter=blob:none --template= "file://$ROOT/src" ws
