#!/usr/bin/env bash
# hazard: The same after the index was refreshed by git add: clean again.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.txt text' >.gitattributes
commit text
printf 'alpha\r\nbeta\r\n' >a.txt
git add a.txt
