#!/usr/bin/env bash
# hazard: An escaped trailing blank is a part of the pattern.
# verdict: dirty
# git: dirty
# says: "?? x"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '%s\n' 'x\ ' >.git/info/exclude
touch x
