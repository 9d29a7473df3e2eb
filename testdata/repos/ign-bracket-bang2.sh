#!/usr/bin/env bash
# hazard: [!a].txt ignores b.txt.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '[!a].txt' >.git/info/exclude
touch b.txt
