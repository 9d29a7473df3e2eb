#!/usr/bin/env bash
# hazard: GIT_INDEX_FILE names a clean index while the checkout has a staged change.
# verdict: dirty
# git: dirty
# says: "MM a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
cp -p .git/index ../index
id=$(echo other | git hash-object -w --stdin)
git update-index --cacheinfo "100644,$id,a.txt"
echo "GIT_INDEX_FILE=$ROOT/index" >../env
