#!/usr/bin/env bash
# hazard: The built-in macro binary is redefined to convert.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf '[attr]binary text eol=crlf\n*.txt binary\n' >.gitattributes
printf 'alpha\r\nbeta\r\n' >a.txt
commit
touch a.txt
