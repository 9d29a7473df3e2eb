#!/usr/bin/env bash
# hazard: Ignored by .git/info/exclude.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.log' >.git/info/exclude
touch x.log d/x.log
