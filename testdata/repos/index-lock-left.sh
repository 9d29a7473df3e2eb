#!/usr/bin/env bash
# hazard: A left-over index.lock keeps git from writing, and nobody from reading.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
touch .git/index.lock .git/HEAD.lock .git/refs/heads/main.lock
