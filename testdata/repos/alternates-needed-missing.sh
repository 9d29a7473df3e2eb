#!/usr/bin/env bash
# hazard: The alternate that holds HEAD's objects is gone.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain src
cd ..
git clone -q --shared --template= src ws
mv src gone
