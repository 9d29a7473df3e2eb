#!/usr/bin/env bash
# hazard: A pattern with an open bracket matches nothing.
# verdict: dirty
# git: dirty
# says: "?? a[.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo 'a[.txt' >.git/info/exclude
touch 'a[.txt'
