#!/usr/bin/env bash
# hazard: An untracked name that is not UTF-8.
# verdict: dirty
# git: dirty
# says: "?? caf\xe9"
# way: own
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

plain
touch $'caf\xe9'
