#!/usr/bin/env bash
# hazard: A commondir file in an ordinary git directory names another repository with the same commit.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain other
cd ..
plain
echo ../../other/.git >.git/commondir
rm -r .git/refs .git/objects
