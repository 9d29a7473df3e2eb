#!/usr/bin/env bash
# hazard: The last of several patterns decides.
# verdict: dirty
# git: dirty
# says: "?? y.log"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '*.log\n!x.log\nx.*\n!y.log\n' >.git/info/exclude
touch x.log y.log z.log
