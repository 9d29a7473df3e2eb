#!/usr/bin/env bash
# hazard: The index was rewritten so that a changed file looks unchanged: HEAD's blob beside the new file's size, times and inode.
# verdict: dirty
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
good=$(git rev-parse :a.txt)
printf 'changed by nobody\n' >a.txt
old a.txt
git update-index a.txt
bad=$(git rev-parse :a.txt)
swap .git/index "$bad" "$good"
