#!/usr/bin/env bash
# hazard: A folder high above a tracked file was replaced by a link to its own old place.
# verdict: dirty
# git: dirty
# says: " D p/q/r/x"
# says: "?? p"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
mkdir -p p/q/r
echo x >p/q/r/x
old p/q/r/x
commit
mv p ../p
ln -s ../p p
