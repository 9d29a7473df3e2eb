#!/usr/bin/env bash
# hazard: Names that differ only in case.
# verdict: clean
# git: clean
# way: own
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

new ws F
echo 1 >readme
echo 2 >README
echo 3 >F/x
mkdir f
echo 4 >f/x
old readme README
commit
