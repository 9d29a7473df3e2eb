#!/usr/bin/env bash
# hazard: A locked linked worktree.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain main
git worktree add -q ../ws -b side
git worktree lock --reason 'on a stick' ../ws
