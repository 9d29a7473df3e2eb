#!/usr/bin/env bash
# hazard: One modified file.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo more >>a.txt
