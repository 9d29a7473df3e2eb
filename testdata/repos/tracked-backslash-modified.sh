#!/usr/bin/env bash
# hazard: A name with a backslash, edited at the same size.
# verdict: dirty
# git: dirty
# says: " M b\\s"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo one >'b\s'
commit
echo two >'b\s'
