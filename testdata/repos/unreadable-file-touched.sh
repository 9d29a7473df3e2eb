#!/usr/bin/env bash
# hazard: A tracked file with mode 000 whose cached data is stale.
# verdict: refused
# refused: unsupported-change not-clean
# git: dirty
# says: " M a.txt"
# way: -
# needs: unprivileged
set -eu
. "$FIXTURE/prelude.bash"

plain
touch a.txt
chmod 000 a.txt
