#!/usr/bin/env bash
# hazard: A same-size edit whose modification time is the index's.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf 'ALPHA\nbeta\n' >a.txt
touch -r .git/index a.txt
