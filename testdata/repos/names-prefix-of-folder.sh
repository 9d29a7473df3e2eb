#!/usr/bin/env bash
# hazard: Untracked files whose names continue a tracked folder's or file's.
# verdict: dirty
# git: dirty
# says: "?? a.txt.orig"
# says: "?? a.txt~"
# says: "?? d.txt"
# says: "?? d0"
# says: "?? da"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
touch d.txt d0 a.txt~ a.txt.orig da
