#!/usr/bin/env bash
# hazard: A plain clean repository.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
