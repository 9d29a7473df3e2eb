#!/usr/bin/env bash
# hazard: /* and then !/keep/, an allow list.
# verdict: dirty
# git: dirty
# says: "?? keep/new"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '/*\n!/keep/\n' >.gitignore
git add -f .gitignore
git commit -q -m allow
mkdir keep drop
touch keep/new drop/x
