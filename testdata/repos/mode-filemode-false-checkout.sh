#!/usr/bin/env bash
# hazard: The index says executable, the disk does not, and core.fileMode=false hides it.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.fileMode false
git update-index --chmod=+x a.txt
git commit -q -m exec
