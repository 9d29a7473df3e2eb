#!/usr/bin/env bash
# hazard: HEAD's tree is the empty tree and nothing is tracked.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
git commit -q --allow-empty -m empty
