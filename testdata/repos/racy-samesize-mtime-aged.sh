#!/usr/bin/env bash
# hazard: A same-size edit with its old time restored: only the change time tells.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
recorded_earlier
printf 'ALPHA\nbeta\n' >a.txt
old a.txt
