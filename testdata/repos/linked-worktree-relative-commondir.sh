#!/usr/bin/env bash
# hazard: A linked worktree whose .git file is relative and whose commondir is absolute.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain main
git worktree add -q ../ws -b side
echo 'gitdir: ../main/.git/worktrees/ws' >../ws/.git
echo "$ROOT/main/.git" >.git/worktrees/ws/commondir
