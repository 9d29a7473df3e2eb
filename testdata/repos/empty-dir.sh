#!/usr/bin/env bash
# hazard: Untracked empty folders, also nested.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir -p e/f/g h
