#!/usr/bin/env bash
# hazard: core.quotePath=false changes nothing in a status that NULs separate.
# verdict: dirty
# git: dirty
# says: "?? a\"b"
# says: "?? café"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.quotePath false
touch $'caf\xc3\xa9' $'a"b'
