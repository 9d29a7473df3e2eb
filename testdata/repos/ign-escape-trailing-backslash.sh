#!/usr/bin/env bash
# hazard: A pattern that ends in a backslash matches nothing.
# verdict: dirty
# git: dirty
# says: "?? x"
# says: "?? x\\"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '%s\n' 'x\' >.git/info/exclude
touch 'x\' x
