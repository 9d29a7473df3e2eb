#!/usr/bin/env bash
# hazard: Patterns and names that are not UTF-8.
# verdict: clean
# git: clean
# way: own
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

plain
printf 'caf\xe9*\n*\xff\n' >.git/info/exclude
touch $'caf\xe9 noir' $'x\xff'
