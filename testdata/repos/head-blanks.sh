#!/usr/bin/env bash
# hazard: HEAD as a symbolic reference with blanks around the name and CR LF.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf 'ref: \t refs/heads/main \r\n' >.git/HEAD
