#!/usr/bin/env bash
# hazard: core.autocrlf=true and LF in the worktree, as tools write it.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.autocrlf true
touch a.txt
