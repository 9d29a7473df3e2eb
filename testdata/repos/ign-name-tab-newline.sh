#!/usr/bin/env bash
# hazard: Untracked names with control characters, ignored by *.log.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.log' >.git/info/exclude
touch $'a\tb.log' $'a\nb.log' $'\x01.log'
