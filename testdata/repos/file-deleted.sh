#!/usr/bin/env bash
# hazard: A tracked file is gone.
# verdict: dirty
# git: dirty
# says: " D a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
rm a.txt
