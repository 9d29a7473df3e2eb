#!/usr/bin/env bash
# hazard: A file was replaced by a folder with a file.
# verdict: dirty
# git: dirty
# says: " D a.txt"
# says: "?? a.txt/x"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
rm a.txt
mkdir a.txt
echo x >a.txt/x
