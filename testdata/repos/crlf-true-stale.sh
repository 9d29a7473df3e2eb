#!/usr/bin/env bash
# hazard: core.autocrlf=true, CR LF in the worktree, cached times stale.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config core.autocrlf true
printf 'alpha\r\nbeta\r\n' >a.txt
commit
touch a.txt
