#!/usr/bin/env bash
# hazard: A branch with blanks of Unicode, dots and slashes, loose.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git checkout -q -b $'f\xc3\xbcr/v1.2/\xe2\x80\x83@x'
