#!/usr/bin/env bash
# hazard: Tracked symbolic links: relative, dangling, to a folder, out of the worktree, and one to itself.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
ln -s a.txt l1
ln -s nowhere l2
ln -s d l3
ln -s ../.. l4
ln -s l5 l5
commit
