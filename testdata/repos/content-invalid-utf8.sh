#!/usr/bin/env bash
# hazard: Invalid UTF-8 and a lone CR without any NUL.
# verdict: dirty
# git: dirty
# says: " M f"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf 'caf\xe9\rx\n' >f
commit
printf 'CAF\xc9\rx\n' >f
