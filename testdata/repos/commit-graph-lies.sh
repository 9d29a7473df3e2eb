#!/usr/bin/env bash
# hazard: The commit graph gives HEAD's commit the tree of the next commit, which index and worktree equal.
# verdict: dirty
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
first=$(git rev-parse HEAD)
one=$(git rev-parse HEAD^{tree})
echo more >>a.txt
old a.txt
commit second
two=$(git rev-parse HEAD^{tree})
git update-ref refs/heads/main "$first"
git commit-graph write --reachable --no-progress
swap .git/objects/info/commit-graph "$one" "$two"
