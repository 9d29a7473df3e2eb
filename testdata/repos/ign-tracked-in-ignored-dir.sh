#!/usr/bin/env bash
# hazard: Tracked files in an ignored folder are compared, untracked ones beside them are not seen.
# verdict: dirty
# git: dirty
# says: " M d/b.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo /d/ >.gitignore
commit
echo more >>d/b.txt
touch d/u
