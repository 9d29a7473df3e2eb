#!/usr/bin/env bash
# hazard: GIT_INDEX_FILE names an index with a staged change; the checkout itself is clean.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
cp .git/index ../index
id=$(echo other | git hash-object -w --stdin)
GIT_INDEX_FILE=../index git update-index --cacheinfo "100644,$id,a.txt"
echo "GIT_INDEX_FILE=$ROOT/index" >../env
