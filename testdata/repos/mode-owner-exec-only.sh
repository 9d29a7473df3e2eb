#!/usr/bin/env bash
# hazard: chmod u+x only.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
chmod u+x a.txt
