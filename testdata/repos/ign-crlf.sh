#!/usr/bin/env bash
# hazard: A .gitignore with CR LF line ends.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '*.log\r\n/out/\r\n' >.gitignore
commit
mkdir out
touch x.log out/x
