#!/usr/bin/env bash
# hazard: info/attributes in a linked worktree's private directory counts for nothing.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain main
git worktree add -q ../ws -b side
mkdir .git/worktrees/ws/info
echo '* text eol=crlf' >.git/worktrees/ws/info/attributes
touch ../ws/a.txt
