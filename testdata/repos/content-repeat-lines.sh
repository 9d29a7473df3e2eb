#!/usr/bin/env bash
# hazard: 200,000 equal lines, one deleted in the middle and one changed.
# verdict: dirty
# git: dirty
# says: " M n"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
perl -e 'print "l\n" x 200000' >n
commit
perl -e 'print "l\n" x 100000, "L\n", "l\n" x 99998' >n
