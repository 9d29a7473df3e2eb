#!/usr/bin/env bash
# hazard: A tracked file was replaced by a folder of staged files.
# verdict: dirty
# git: dirty
# says: "D  a.txt"
# says: "A  a.txt/x"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git rm -q a.txt
mkdir a.txt
echo x >a.txt/x
git add a.txt
