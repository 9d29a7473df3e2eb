#!/usr/bin/env bash
# hazard: Line end conversion is switched on in config.worktree only.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.repositoryFormatVersion 1
git config extensions.worktreeConfig true
git config --worktree core.autocrlf true
printf 'alpha\r\nbeta\r\n' >a.txt
old a.txt
git add a.txt
