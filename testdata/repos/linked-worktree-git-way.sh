#!/usr/bin/env bash
# hazard: A modified linked worktree whose repository converts line ends, seen from a private HEAD.
# verdict: dirty
# git: dirty
# says: " M d/b.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain main
git config core.autocrlf input
git worktree add -q --detach ../ws
echo more >>../ws/d/b.txt
