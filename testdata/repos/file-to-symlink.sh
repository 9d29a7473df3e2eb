#!/usr/bin/env bash
# hazard: A file was replaced by a symbolic link.
# verdict: dirty
# git: dirty
# says: " T a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
rm a.txt
ln -s d/b.txt a.txt
