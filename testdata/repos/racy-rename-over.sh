#!/usr/bin/env bash
# hazard: A file of the same size and time was renamed over the tracked one.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf 'ALPHA\nbeta\n' >../new
old ../new
mv ../new a.txt
