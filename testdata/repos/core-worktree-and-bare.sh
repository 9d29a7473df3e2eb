#!/usr/bin/env bash
# hazard: core.bare=true and core.worktree contradict each other.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.bare true
git config core.worktree "$ROOT/ws"
