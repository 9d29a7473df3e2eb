#!/usr/bin/env bash
# hazard: Files whose content looks like an object's header, an index and a pack.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf 'blob 3\0abc' >a
printf 'DIRC\0\0\0\2\0\0\0\0' >b
printf 'PACK\0\0\0\2\0\0\0\0' >c
commit
