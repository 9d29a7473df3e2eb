#!/usr/bin/env bash
# hazard: The common directory's info/exclude, seen from a linked worktree.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain main
echo '*.log' >.git/info/exclude
git worktree add -q ../ws -b side
touch ../ws/x.log
