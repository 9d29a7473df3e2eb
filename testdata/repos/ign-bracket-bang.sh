#!/usr/bin/env bash
# hazard: [!b].txt does not ignore b.txt.
# verdict: dirty
# git: dirty
# says: "?? b.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '[!b].txt' >.git/info/exclude
touch b.txt
