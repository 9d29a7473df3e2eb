#!/usr/bin/env bash
# hazard: A change of text and of mode.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo more >>a.txt
chmod +x a.txt
