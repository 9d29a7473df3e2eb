#!/usr/bin/env bash
# hazard: Few files with paths so long that the index listing exceeds its bound.
# verdict: refused
# refused: over-bound
# git: clean
# way: -
# needs: linux
set -eu
. "$FIXTURE/prelude.bash"

new ws
part=$(printf 'p%.0s' $(seq 240))
dir=$part
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do dir=$dir/$part; done
mkdir -p "$dir"
(cd "$dir" && seq 1 300 | xargs touch)
commit
