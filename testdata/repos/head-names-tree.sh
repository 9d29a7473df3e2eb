#!/usr/bin/env bash
# hazard: HEAD's branch names a tree instead of a commit.
# verdict: refused
# refused: git-failed
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
tree=$(git rev-parse HEAD^{tree})
echo "$tree" >.git/refs/heads/main
