#!/usr/bin/env bash
# hazard: A merge is in progress (MERGE_HEAD) though index and worktree are HEAD's.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git rev-parse HEAD >.git/MERGE_HEAD
echo merge >.git/MERGE_MSG
