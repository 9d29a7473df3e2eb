#!/usr/bin/env bash
# hazard: Patterns with two slashes in a row.
# verdict: dirty
# git: dirty
# says: "?? d/u"
# says: "?? x"
# says: "?? y/z"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf 'd//u\n//x\ny//\n' >.git/info/exclude
mkdir y
touch d/u x y/z
