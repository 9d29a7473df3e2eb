#!/usr/bin/env bash
# hazard: x/** when x is a file.
# verdict: dirty
# git: dirty
# says: "?? x"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo 'x/**' >.git/info/exclude
touch x
