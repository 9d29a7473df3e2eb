#!/usr/bin/env bash
# hazard: A staged change of mode only.
# verdict: dirty
# git: dirty
# says: "MM a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git update-index --chmod=+x a.txt
