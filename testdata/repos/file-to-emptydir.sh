#!/usr/bin/env bash
# hazard: A file was replaced by an empty folder.
# verdict: dirty
# git: dirty
# says: " D a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
rm a.txt
mkdir a.txt
