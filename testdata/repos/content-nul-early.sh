#!/usr/bin/env bash
# hazard: A NUL within the first 8,000 bytes: binary for git.
# verdict: dirty
# git: dirty
# says: " M f"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf 'a\0b\nc\n' >f
commit
printf 'a\0b\nC\n' >f
