#!/usr/bin/env bash
# hazard: The newline at the end is gone.
# verdict: dirty
# git: dirty
# says: " M f"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf 'one\ntwo\n' >f
commit
printf 'one\ntwo' >f
