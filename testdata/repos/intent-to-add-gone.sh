#!/usr/bin/env bash
# hazard: git add -N, then the file was removed.
# verdict: dirty
# git: dirty
# says: " D n.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo n >n.txt
git add -N n.txt
rm n.txt
