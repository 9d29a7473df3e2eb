#!/usr/bin/env bash
# hazard: core.worktree points elsewhere from config.worktree only.
# verdict: refused
# refused: not-root
# git: dirty
# says: " D a.txt"
# says: " D d/b.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir ../other
git config core.repositoryFormatVersion 1
git config extensions.worktreeConfig true
git config --worktree core.worktree "$ROOT/other"
