#!/usr/bin/env bash
# hazard: Without core.ignoreCase, letter case matters.
# verdict: dirty
# git: dirty
# says: "?? x.log"
# way: own
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.LOG' >.git/info/exclude
touch x.log
