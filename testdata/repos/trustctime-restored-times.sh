#!/usr/bin/env bash
# hazard: A same-size edit with its time restored under core.trustctime=false and checkStat=minimal: git itself is blind without our overrides.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.trustctime false
git config core.checkStat minimal
recorded_earlier
printf 'ALPHA\nbeta\n' >a.txt
old a.txt
