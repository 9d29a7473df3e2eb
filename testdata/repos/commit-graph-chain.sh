#!/usr/bin/env bash
# hazard: A split commit graph, in a chain of files.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git commit-graph write --reachable --split --no-progress
echo more >>a.txt
commit two
git commit-graph write --reachable --split=no-merge --no-progress
