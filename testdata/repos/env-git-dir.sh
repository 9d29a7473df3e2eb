#!/usr/bin/env bash
# hazard: GIT_DIR and GIT_WORK_TREE name a clean repository while the checkout is modified.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain other
cd ..
plain
echo more >>a.txt
printf 'GIT_DIR=%s/other/.git\nGIT_WORK_TREE=%s/other\n' "$ROOT" "$ROOT" >../env
