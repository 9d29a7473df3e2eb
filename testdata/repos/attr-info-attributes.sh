#!/usr/bin/env bash
# hazard: Attributes only in info/attributes (eol=crlf).
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo '*.txt eol=crlf' >.git/info/attributes
printf 'alpha\r\nbeta\r\n' >a.txt
commit
touch a.txt
