#!/usr/bin/env bash
# hazard: An uninitialised submodule whose folder holds a stray file: git says clean.
# verdict: refused
# refused: unsupported-repository
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain src
submodule sub
cd ..
git clone -q --template= src ws
echo stray >ws/sub/stray
