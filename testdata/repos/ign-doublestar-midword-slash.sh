#!/usr/bin/env bash
# hazard: foo**bar with a slash between does not match.
# verdict: dirty
# git: dirty
# says: "?? foox/ybar"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo 'foo**bar' >.git/info/exclude
mkdir foox
touch foox/ybar
