#!/usr/bin/env bash
# hazard: A skip-worktree entry that HEAD does not have.
# verdict: refused
# refused: flagged-index
# git: dirty
# says: "A  n.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo n >n.txt
git add n.txt
git update-index --skip-worktree n.txt
