#!/usr/bin/env bash
# hazard: info/exclude in a linked worktree's private directory counts for nothing.
# verdict: dirty
# git: dirty
# says: "?? x.log"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain main
git worktree add -q ../ws -b side
mkdir .git/worktrees/ws/info
echo '*.log' >.git/worktrees/ws/info/exclude
touch ../ws/x.log
