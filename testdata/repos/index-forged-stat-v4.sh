#!/usr/bin/env bash
# hazard: The same forgery in a version 4 index.
# verdict: dirty
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git update-index --index-version 4
good=$(git rev-parse :d/b.txt)
printf 'changed by nobody\n' >d/b.txt
old d/b.txt
git update-index d/b.txt
bad=$(git rev-parse :d/b.txt)
swap .git/index "$bad" "$good"
