#!/usr/bin/env bash
# hazard: The commit graph is garbage: git warns and reads the commit.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git commit-graph write --reachable --no-progress
bytes .git/objects/info/commit-graph 'substr($_, 8, 200) = "x" x 200'
