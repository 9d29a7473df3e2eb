#!/usr/bin/env bash
# hazard: The index recorded size 0 for a file that was racy when it was written.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf 'one\n' >a.txt
git add a.txt
git commit -q -m one
forge .git/index 'substr($_, 12 + 36, 4) = "\0" x 4'
