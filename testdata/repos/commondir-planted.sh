#!/usr/bin/env bash
# hazard: A commondir file planted in an ordinary git directory redirects refs and objects to another repository.
# verdict: dirty
# git: dirty
# says: "M  a.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain other
echo changed >a.txt
commit changed
cd ..
plain
echo "$ROOT/other/.git" >.git/commondir
rm -r .git/refs .git/objects
