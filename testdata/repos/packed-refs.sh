#!/usr/bin/env bash
# hazard: Packed references only.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git pack-refs --all --prune
