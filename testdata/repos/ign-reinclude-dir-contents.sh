#!/usr/bin/env bash
# hazard: out/* and !out/keep: the file comes back.
# verdict: dirty
# git: dirty
# says: "?? out/keep"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf 'out/*\n!out/keep\n' >.git/info/exclude
mkdir out
touch out/keep out/x
