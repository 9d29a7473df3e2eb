#!/usr/bin/env bash
# hazard: info/grafts gives HEAD's commit another parent.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
first=$(git rev-parse HEAD)
echo more >>a.txt
commit two
echo "$(git rev-parse HEAD)" >.git/info/grafts
