#!/usr/bin/env bash
# hazard: A symbolic link was replaced by a folder.
# verdict: dirty
# git: dirty
# says: " D l"
# says: "?? l/b.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
ln -s d l
commit
rm l
cp -R d l
