#!/usr/bin/env bash
# hazard: A blob is replaced and the worktree holds the replacement's content.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
git replace "$(git rev-parse HEAD:a.txt)" "$(echo other | git hash-object -w --stdin)"
echo other >a.txt
