#!/usr/bin/env bash
# hazard: A tracked .gitignore that is a symbolic link to a file in the worktree is not followed.
# verdict: dirty
# git: dirty
# says: "?? x.log"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.log' >rules
ln -s rules .gitignore
commit
touch x.log
