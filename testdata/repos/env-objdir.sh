#!/usr/bin/env bash
# hazard: The object directory was moved away and only GIT_OBJECT_DIRECTORY knows where.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mv .git/objects ../objects
echo "GIT_OBJECT_DIRECTORY=$ROOT/objects" >../env
