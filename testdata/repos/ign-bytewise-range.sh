#!/usr/bin/env bash
# hazard: Ranges and question marks count bytes, not characters.
# verdict: dirty
# git: dirty
# says: "?? é.one"
# way: own
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '?.one\n??.two\n[\xc3][\xa0-\xbf].three\n' >.git/info/exclude
touch $'\xc3\xa9.one' $'\xc3\xa9.two' $'\xc3\xa9.three' $'\xe9.one'
