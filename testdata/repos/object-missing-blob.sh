#!/usr/bin/env bash
# hazard: HEAD's blob is missing from the object store; the worktree has its content, and a status reads no blob.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
rm -f "$(loose "$(git rev-parse HEAD:a.txt)")"
