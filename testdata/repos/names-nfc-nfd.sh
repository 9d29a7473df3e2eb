#!/usr/bin/env bash
# hazard: NFC and NFD spellings of one name side by side.
# verdict: clean
# git: clean
# way: own
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo 1 >$'caf\xc3\xa9'
echo 2 >$'cafe\xcc\x81'
commit
