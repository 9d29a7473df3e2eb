#!/usr/bin/env bash
# hazard: Entry, stat data and cached tree all forged: the index claims HEAD's blob for a file of other content.
# verdict: dirty
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
good=$(git rev-parse :a.txt)
tree=$(git rev-parse HEAD^{tree})
printf 'changed by nobody\n' >a.txt
old a.txt
git update-index a.txt
git write-tree >/dev/null
bad=$(git rev-parse :a.txt)
swap .git/index "$(git write-tree)" "$tree"
swap .git/index "$bad" "$good"
