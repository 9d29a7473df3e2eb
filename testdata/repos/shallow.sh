#!/usr/bin/env bash
# hazard: A shallow clone.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain src
echo more >>a.txt
commit two
cd ..
git clone -q --depth=1 --template= "file://$ROOT/src" ws
