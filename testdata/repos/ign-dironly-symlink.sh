#!/usr/bin/env bash
# hazard: The pattern out/ and a symbolic link to a folder called out.
# verdict: dirty
# git: dirty
# says: "?? out"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo out/ >.git/info/exclude
ln -s d out
