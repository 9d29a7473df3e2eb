#!/usr/bin/env bash
# hazard: info/grafts takes HEAD's commit its parent.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo more >>a.txt
commit two
git rev-parse HEAD >.git/info/grafts
