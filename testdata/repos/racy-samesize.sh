#!/usr/bin/env bash
# hazard: A same-size edit right after the commit.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf 'one\n' >a.txt
git add a.txt
git commit -q -m one
printf 'two\n' >a.txt
