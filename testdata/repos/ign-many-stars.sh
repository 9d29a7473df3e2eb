#!/usr/bin/env bash
# hazard: A pattern of many stars, which must not take exponential time.
# verdict: dirty
# git: dirty
# says: "?? aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*a*a*a*a*a*a*a*a*a*a*b' >.git/info/exclude
touch aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
