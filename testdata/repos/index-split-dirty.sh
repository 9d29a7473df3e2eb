#!/usr/bin/env bash
# hazard: A split index with a staged change.
# verdict: dirty
# git: dirty
# says: "M  a.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
git update-index --split-index
echo more >>a.txt
git add a.txt
