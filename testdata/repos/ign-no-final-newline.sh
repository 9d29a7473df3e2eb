#!/usr/bin/env bash
# hazard: The last pattern has no newline.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '*.o\n*.log' >.gitignore
commit
touch x.log
