#!/usr/bin/env bash
# hazard: No newline at the end on either side, the last line changed.
# verdict: dirty
# git: dirty
# says: " M f"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf 'one\ntwo' >f
commit
printf 'one\nTWO' >f
