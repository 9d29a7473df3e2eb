#!/usr/bin/env bash
# hazard: A branch whose name is not UTF-8.
# verdict: clean
# git: clean
# way: own
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

plain
git checkout -q -b $'caf\xe9'
