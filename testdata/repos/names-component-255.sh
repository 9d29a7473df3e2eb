#!/usr/bin/env bash
# hazard: A name of 255 bytes.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo x >"$(printf 'n%.0s' $(seq 255))"
commit
