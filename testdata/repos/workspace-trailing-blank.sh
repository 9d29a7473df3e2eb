#!/usr/bin/env bash
# hazard: A checkout whose own name ends in a blank.
# verdict: clean
# git: clean
# way: own
# workspace: "ws "
set -eu
. "$FIXTURE/prelude.bash"

plain 'ws '
