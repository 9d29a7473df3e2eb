#!/usr/bin/env bash
# hazard: Ignored names that are not UTF-8.
# verdict: clean
# git: clean
# way: own
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

plain
echo /out/ >.git/info/exclude
mkdir out
touch $'out/caf\xe9'
