#!/usr/bin/env bash
# hazard: diff.orderFile names a missing file, which makes a plain git status fail.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config diff.orderFile /nonexistent
echo more >>a.txt
