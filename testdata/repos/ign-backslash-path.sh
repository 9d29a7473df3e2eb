#!/usr/bin/env bash
# hazard: The pattern q\\b for a name with a backslash.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo 'q\\b' >.git/info/exclude
touch 'q\b'
