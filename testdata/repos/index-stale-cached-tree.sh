#!/usr/bin/env bash
# hazard: Cached trees of which the subtree was invalidated and restored.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
b=$(git rev-parse :d/b.txt)
a=$(git rev-parse :a.txt)
git update-index --cacheinfo "100644,$a,d/b.txt"
git update-index --cacheinfo "100644,$b,d/b.txt"
git update-index -q --refresh
