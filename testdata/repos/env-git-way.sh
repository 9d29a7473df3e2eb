#!/usr/bin/env bash
# hazard: A modified checkout that git must judge, and variables that lead git to a clean one.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain other
cd ..
plain
echo '* text=auto' >.git/info/attributes
echo more >>a.txt
printf '%s\n' "GIT_DIR=$ROOT/other/.git" "GIT_WORK_TREE=$ROOT/other" "GIT_INDEX_FILE=$ROOT/other/.git/index" \
	"GIT_OBJECT_DIRECTORY=$ROOT/other/.git/objects" GIT_OPTIONAL_LOCKS=1 GIT_ALLOW_PROTOCOL=ext "GIT_TRACE=$CANARY" >../env
