#!/usr/bin/env bash
# hazard: **/ hides files below any folder; a file at the root stays.
# verdict: dirty
# git: dirty
# says: "?? r"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '**/' >.git/info/exclude
mkdir e
touch r e/x
