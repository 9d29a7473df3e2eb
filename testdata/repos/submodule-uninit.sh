#!/usr/bin/env bash
# hazard: An uninitialised submodule, as a plain clone has it.
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
