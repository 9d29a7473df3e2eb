#!/usr/bin/env bash
# hazard: An untracked .gitignore that is a symbolic link is not followed.
# verdict: dirty
# git: dirty
# says: "?? .gitignore"
# says: "?? x.log"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.log' >../rules
ln -s ../rules .gitignore
touch x.log
