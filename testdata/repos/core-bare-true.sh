#!/usr/bin/env bash
# hazard: core.bare=true with a worktree around.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.bare true
