#!/usr/bin/env bash
# hazard: One line of 5 MB, changed in one byte.
# verdict: dirty
# git: dirty
# says: " M f"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
perl -e 'print "x" x 5000000' >f
git -c core.compression=1 add f
git commit -q -m long
perl -e 'print "x" x 2500000, "y", "x" x 2499999' >f
