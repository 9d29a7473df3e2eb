#!/usr/bin/env bash
# hazard: HEAD's objects are found only through GIT_ALTERNATE_OBJECT_DIRECTORIES.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mv .git/objects ../objects
mkdir .git/objects
echo "GIT_ALTERNATE_OBJECT_DIRECTORIES=$ROOT/objects" >../env
