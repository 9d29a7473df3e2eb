#!/usr/bin/env bash
# hazard: A nested .gitignore takes one file back.
# verdict: dirty
# git: dirty
# says: "?? d/keep.log"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.log' >.gitignore
echo '!keep.log' >d/.gitignore
commit
touch d/keep.log d/x.log keep.log
