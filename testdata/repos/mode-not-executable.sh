#!/usr/bin/env bash
# hazard: An executable file lost its bit.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
chmod +x a.txt
commit exec
chmod -x a.txt
