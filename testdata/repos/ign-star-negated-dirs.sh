#!/usr/bin/env bash
# hazard: * and then !*/ and !*.keep.
# verdict: dirty
# git: dirty
# says: "?? e/f/y.keep"
# says: "?? z.keep"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '*\n!*/\n!*.keep\n' >.git/info/exclude
mkdir -p e/f
touch e/f/x e/f/y.keep z.keep
