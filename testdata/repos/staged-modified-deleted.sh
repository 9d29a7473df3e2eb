#!/usr/bin/env bash
# hazard: A staged edit whose file was removed afterwards.
# verdict: dirty
# git: dirty
# says: "MD a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo more >>a.txt
git add a.txt
rm a.txt
