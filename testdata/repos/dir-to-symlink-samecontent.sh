#!/usr/bin/env bash
# hazard: A folder was replaced by a symbolic link to a folder of equal content.
# verdict: dirty
# git: dirty
# says: " D d/b.txt"
# says: "?? d"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
cp -Rp d ../copy
rm -r d
ln -s ../copy d
