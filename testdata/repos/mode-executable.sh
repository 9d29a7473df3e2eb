#!/usr/bin/env bash
# hazard: A file was made executable.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
chmod +x a.txt
