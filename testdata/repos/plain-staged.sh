#!/usr/bin/env bash
# hazard: A staged change, worktree equal to the index.
# verdict: dirty
# git: dirty
# says: "M  a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo more >>a.txt
git add a.txt
