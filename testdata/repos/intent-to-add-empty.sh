#!/usr/bin/env bash
# hazard: git add -N on an empty file: the blob that the entry names is the file's.
# verdict: dirty
# git: dirty
# says: " A n.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
: >n.txt
git add -N n.txt
