#!/usr/bin/env bash
# hazard: Everything is in one pack.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git repack -q -a -d
