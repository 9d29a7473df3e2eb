#!/usr/bin/env bash
# hazard: A staged change and another edit on top.
# verdict: dirty
# git: dirty
# says: "MM a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo more >>a.txt
git add a.txt
echo again >>a.txt
