#!/usr/bin/env bash
# hazard: The legacy attribute crlf.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo '*.txt crlf' >.gitattributes
printf 'alpha\r\nbeta\r\n' >a.txt
commit
touch a.txt
