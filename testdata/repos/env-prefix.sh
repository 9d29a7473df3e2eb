#!/usr/bin/env bash
# hazard: GIT_PREFIX, GIT_COMMON_DIR and GIT_QUARANTINE_PATH, as left by a hook.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf 'GIT_PREFIX=d/\nGIT_COMMON_DIR=/nonexistent\nGIT_QUARANTINE_PATH=/nonexistent\n' >../env
