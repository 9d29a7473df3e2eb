#!/usr/bin/env bash
# hazard: HEAD as a symbolic reference without a newline.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf 'ref:refs/heads/main' >.git/HEAD
