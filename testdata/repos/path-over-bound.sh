#!/usr/bin/env bash
# hazard: A tracked path of more than 4,096 characters, which no file can have.
# verdict: refused
# refused: over-bound unsafe-path not-clean git-failed
# git: clean
# way: -
# needs: linux
set -eu
. "$FIXTURE/prelude.bash"

plain
part=$(printf 'p%.0s' $(seq 200))
dir=$part
for i in $(seq 21); do dir=$dir/$part; done
git update-index --add --cacheinfo "100644,$(git rev-parse :a.txt),$dir/f"
git commit -q -m long
