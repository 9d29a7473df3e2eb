#!/usr/bin/env bash
# hazard: GIT_CONFIG_COUNT sets core.fileMode=false while a file was made executable.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
chmod +x a.txt
printf 'GIT_CONFIG_COUNT=1\nGIT_CONFIG_KEY_0=core.fileMode\nGIT_CONFIG_VALUE_0=false\n' >../env
