#!/usr/bin/env bash
# hazard: A linked worktree is modified while the main worktree is clean.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain main
git worktree add -q ../ws -b side
echo dirt >>../ws/a.txt
