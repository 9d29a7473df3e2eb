#!/usr/bin/env bash
# hazard: Attribute patterns match without regard to case under core.ignoreCase.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config core.ignoreCase true
echo '*.TXT eol=crlf' >.gitattributes
printf 'x\r\n' >a.txt
commit
touch a.txt
