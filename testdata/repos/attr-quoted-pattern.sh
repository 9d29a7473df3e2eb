#!/usr/bin/env bash
# hazard: A quoted pattern with an escaped byte and a blank.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf '"a \\141.txt" eol=crlf\n' >.gitattributes
printf 'x\r\n' >'a a.txt'
commit
touch 'a a.txt'
