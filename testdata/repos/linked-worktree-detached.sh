#!/usr/bin/env bash
# hazard: A linked worktree at a detached HEAD while the main worktree is dirty.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain main
git worktree add -q --detach ../ws
echo dirt >>a.txt
