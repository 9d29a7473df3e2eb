#!/usr/bin/env bash
# hazard: A split index and a modified file that only the shared part lists.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
git update-index --split-index
echo more >>a.txt
