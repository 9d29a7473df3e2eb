#!/usr/bin/env bash
# hazard: [[:digit:]].txt ignores 1.txt.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '[[:digit:]].txt' >.git/info/exclude
touch 1.txt
