#!/usr/bin/env bash
# hazard: core.worktree names the workspace itself, relative to the git directory.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.worktree ..
