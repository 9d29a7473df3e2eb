#!/usr/bin/env bash
# hazard: A staged new file, and one that was staged and removed again, and one edited after staging.
# verdict: dirty
# git: dirty
# says: "A  n1"
# says: "AD n2"
# says: "AM n3"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo 1 >n1
echo 2 >n2
echo 3 >n3
git add n1 n2 n3
rm n2
echo more >>n3
