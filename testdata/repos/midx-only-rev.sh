#!/usr/bin/env bash
# hazard: Packs with reverse indexes, a multi-pack index and its bitmap.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git -c pack.writeReverseIndex=true repack -q -d
echo more >>a.txt
commit two
git -c pack.writeReverseIndex=true repack -q -d
git multi-pack-index write --bitmap --no-progress
