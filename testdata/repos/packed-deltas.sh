#!/usr/bin/env bash
# hazard: HEAD's commit, tree and blob are deltas, some of them against objects that come later.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
seq 1 3000 >n
mkdir d
for i in 1 2 3 4 5 6 7 8 9; do cp n "d/f$i"; done
commit one
echo 3001 >>n
commit two
git -c repack.useDeltaBaseOffset=false repack -q -a -d -f --depth=50 --window=50
