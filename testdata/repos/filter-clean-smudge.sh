#!/usr/bin/env bash
# hazard: A clean and smudge filter: the worktree is smudged.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
rot13
printf 'alpha\n' >a.txt
commit
rm a.txt
git checkout -q -- a.txt
touch a.txt
