#!/usr/bin/env bash
# hazard: The object named as HEAD's blob holds other content, and the worktree holds the same other content.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
good=$(git rev-parse HEAD:a.txt)
printf 'forged\n' | disguise "$good" blob
printf 'forged\n' >a.txt
