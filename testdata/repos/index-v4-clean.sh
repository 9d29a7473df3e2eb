#!/usr/bin/env bash
# hazard: Index version 4, clean.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git update-index --index-version 4
