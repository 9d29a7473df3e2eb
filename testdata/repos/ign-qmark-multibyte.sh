#!/usr/bin/env bash
# hazard: A single question mark does not match a name of one two-byte character.
# verdict: dirty
# git: dirty
# says: "?? é"
# way: own
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '?' >.git/info/exclude
touch $'\xc3\xa9'
