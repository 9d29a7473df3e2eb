#!/usr/bin/env bash
# hazard: The same with core.trustctime=false and checkStat=minimal from the user's own configuration.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config --global core.trustctime false
git config --global core.checkStat minimal
recorded_earlier
printf 'ALPHA\nbeta\n' >a.txt
old a.txt
