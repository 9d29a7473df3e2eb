#!/usr/bin/env bash
# hazard: The same forgery for a symbolic link.
# verdict: dirty
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
ln -s one l
old l
commit link
good=$(git rev-parse :l)
ln -sf two l
old l
git update-index l
bad=$(git rev-parse :l)
swap .git/index "$bad" "$good"
