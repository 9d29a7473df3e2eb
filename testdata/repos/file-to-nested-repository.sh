#!/usr/bin/env bash
# hazard: A file was replaced by a repository.
# verdict: dirty
# git: dirty
# says: " T a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
rm a.txt
git init -q --template= a.txt
git -C a.txt commit -q --allow-empty -m x
