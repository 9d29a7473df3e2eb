#!/usr/bin/env bash
# hazard: Bracket expressions with a closing bracket first, ranges, a trailing hyphen and an escaped bracket.
# verdict: dirty
# git: dirty
# says: "?? ]5"
# says: "?? d2"
# says: "?? x3"
# says: "?? y1"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '[]x]1\n[a-c-]2\n[\\]]3\n[]-]4\n[!]]5\n' >.git/info/exclude
touch -- ]1 x1 y1 b2 -2 d2 ]3 x3 ]4 -4 ]5 x5
