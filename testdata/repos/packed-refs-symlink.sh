#!/usr/bin/env bash
# hazard: packed-refs is a symbolic link.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git pack-refs --all --prune
mv .git/packed-refs .git/store-of-refs
ln -s store-of-refs .git/packed-refs
