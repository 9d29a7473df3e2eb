#!/usr/bin/env bash
# hazard: extensions.worktreeConfig with core.fileMode=false for this worktree and a file made executable.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.repositoryFormatVersion 1
git config extensions.worktreeConfig true
git config --worktree core.fileMode false
chmod +x a.txt
