#!/usr/bin/env bash
# hazard: A clean and smudge filter, and the smudged file was edited.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
rot13
printf 'alpha\n' >a.txt
commit
printf 'gamma\n' >a.txt
