#!/usr/bin/env bash
# hazard: .gitignore was deleted from the worktree; the index still has it.
# verdict: dirty
# git: dirty
# says: " D .gitignore"
# says: "?? x.log"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.log' >.gitignore
commit
rm .gitignore
touch x.log
