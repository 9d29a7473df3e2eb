#!/usr/bin/env bash
# hazard: Index version 4, the last entry modified.
# verdict: dirty
# git: dirty
# says: " M d/b.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git update-index --index-version 4
echo more >>d/b.txt
