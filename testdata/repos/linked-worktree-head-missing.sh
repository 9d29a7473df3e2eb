#!/usr/bin/env bash
# hazard: A linked worktree whose private HEAD is gone; the common directory still has one.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain main
git worktree add -q ../ws -b side
rm .git/worktrees/ws/HEAD
