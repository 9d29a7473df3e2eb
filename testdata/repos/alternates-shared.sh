#!/usr/bin/env bash
# hazard: git clone --shared: an absolute alternate.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain src
cd ..
git clone -q --shared --template= src ws
