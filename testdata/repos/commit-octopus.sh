#!/usr/bin/env bash
# hazard: HEAD is a merge of three parents with the first one's tree.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
tree=$(git rev-parse HEAD^{tree})
a=$(git commit-tree -m a "$tree")
b=$(git commit-tree -m b "$tree")
git update-ref refs/heads/main "$(git commit-tree -m merge -p HEAD -p "$a" -p "$b" "$tree")"
