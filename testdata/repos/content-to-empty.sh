#!/usr/bin/env bash
# hazard: A file is truncated to nothing.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
: >a.txt
