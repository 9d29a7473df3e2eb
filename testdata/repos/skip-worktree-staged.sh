#!/usr/bin/env bash
# hazard: A skip-worktree entry with a staged change and the old content on disk.
# verdict: refused
# refused: flagged-index
# git: dirty
# says: "M  a.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
cp -p a.txt ../kept
echo more >>a.txt
git add a.txt
git update-index --skip-worktree a.txt
cp -p ../kept a.txt
