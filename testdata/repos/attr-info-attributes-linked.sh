#!/usr/bin/env bash
# hazard: Attributes of the common directory's info/attributes, seen from a linked worktree.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain main
echo '*.txt eol=crlf' >.git/info/attributes
git worktree add -q ../ws -b side
touch ../ws/a.txt
