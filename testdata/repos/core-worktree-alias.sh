#!/usr/bin/env bash
# hazard: core.worktree names the workspace through a symbolic link.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
ln -s ws ../alias
git config core.worktree "$ROOT/alias"
