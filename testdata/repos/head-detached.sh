#!/usr/bin/env bash
# hazard: A detached HEAD.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git checkout -q --detach
