#!/usr/bin/env bash
# hazard: Linked worktrees in an ignored folder of the checkout, one of them dirty.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo /wt/ >.gitignore
git add .gitignore
git commit -q -m ignore
git worktree add -q wt/one -b one
echo dirt >>wt/one/a.txt
