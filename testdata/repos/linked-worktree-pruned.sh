#!/usr/bin/env bash
# hazard: A linked worktree whose administrative directory was pruned.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain main
git worktree add -q ../ws -b side
rm -r .git/worktrees
