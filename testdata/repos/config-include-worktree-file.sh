#!/usr/bin/env bash
# hazard: The configuration includes a tracked file of the worktree, which switches conversion on.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config include.path ../settings
printf '[core]\n\tautocrlf = true\n' >settings
printf 'alpha\r\n' >a.txt
commit
touch a.txt
