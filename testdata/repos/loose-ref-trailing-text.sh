#!/usr/bin/env bash
# hazard: The branch file has text after the object id.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
id=$(git rev-parse HEAD)
printf '%s\tand what else\nsecond line\n' "$id" >.git/refs/heads/main
