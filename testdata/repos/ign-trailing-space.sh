#!/usr/bin/env bash
# hazard: Trailing blanks, escaped and not.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '%s\n' 'x.log   ' 'y\ ' 'z\  ' >.git/info/exclude
touch x.log 'y ' 'z '
