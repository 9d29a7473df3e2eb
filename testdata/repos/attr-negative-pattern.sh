#!/usr/bin/env bash
# hazard: A negative pattern in .gitattributes, which git forbids and ignores.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf '!a.txt eol=crlf\n' >.gitattributes
printf 'x\n' >a.txt
commit
touch a.txt
