#!/usr/bin/env bash
# hazard: git add -N on a file with content.
# verdict: dirty
# git: dirty
# says: " A n.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo n >n.txt
git add -N n.txt
