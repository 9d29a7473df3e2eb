#!/usr/bin/env bash
# hazard: info/exclude ignores *.log, .gitignore takes keep.log back.
# verdict: dirty
# git: dirty
# says: "?? keep.log"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.log' >.git/info/exclude
echo '!keep.log' >.gitignore
commit
touch keep.log x.log
