#!/usr/bin/env bash
# hazard: The pattern out/ and a file called out.
# verdict: dirty
# git: dirty
# says: "?? out"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo out/ >.git/info/exclude
touch out
