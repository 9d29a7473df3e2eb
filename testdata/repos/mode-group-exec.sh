#!/usr/bin/env bash
# hazard: chmod g+x only: git looks at the owner's bit.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
chmod g+x,o+x a.txt
