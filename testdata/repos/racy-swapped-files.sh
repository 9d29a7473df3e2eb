#!/usr/bin/env bash
# hazard: Two files of the same size and time exchanged their names.
# verdict: dirty
# git: dirty
# says: " M a"
# says: " M b"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf 'one\n' >a
printf 'two\n' >b
old a b
commit
mv a c
mv b a
mv c b
