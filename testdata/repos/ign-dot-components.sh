#!/usr/bin/env bash
# hazard: Patterns with dot and dot-dot components match nothing.
# verdict: dirty
# git: dirty
# says: "?? d/u"
# says: "?? x"
# says: "?? y"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf './x\n../ws/y\nd/./u\n' >.git/info/exclude
touch x y d/u
