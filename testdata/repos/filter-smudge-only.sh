#!/usr/bin/env bash
# hazard: A driver with a smudge command only.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git config filter.half.smudge 'tr a-z A-Z'
echo '*.txt filter=half' >.gitattributes
commit
touch a.txt
