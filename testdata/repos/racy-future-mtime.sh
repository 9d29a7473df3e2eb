#!/usr/bin/env bash
# hazard: A tracked file with a modification time in the future, edited at the same size.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
touch -t 203601020304 a.txt
git update-index a.txt
printf 'ALPHA\nbeta\n' >a.txt
touch -t 203601020304 a.txt
