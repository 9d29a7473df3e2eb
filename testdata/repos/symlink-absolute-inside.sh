#!/usr/bin/env bash
# hazard: A tracked absolute symbolic link into the worktree, touched.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
ln -s "$PWD/a.txt" l1
commit
touch -h l1
