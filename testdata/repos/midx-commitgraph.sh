#!/usr/bin/env bash
# hazard: A multi-pack index and a commit graph.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git repack -q -d
echo more >>a.txt
commit two
git repack -q -d
git multi-pack-index write --no-progress
git commit-graph write --reachable --no-progress
