#!/usr/bin/env bash
# hazard: A symbolic link was replaced by a regular file that holds the target's name: the same blob.
# verdict: dirty
# git: dirty
# says: " T l"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
ln -s a.txt l
commit
rm l
printf a.txt >l
