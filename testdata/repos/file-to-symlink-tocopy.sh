#!/usr/bin/env bash
# hazard: A file was replaced by a symbolic link to a copy of itself.
# verdict: dirty
# git: dirty
# says: " T a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mv a.txt ../a.txt
ln -s ../a.txt a.txt
