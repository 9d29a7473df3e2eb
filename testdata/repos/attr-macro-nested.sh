#!/usr/bin/env bash
# hazard: A macro that the root's .gitattributes defines is used in a nested one.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws n
echo '[attr]dos text eol=crlf' >.gitattributes
echo '*.txt dos' >n/.gitattributes
printf 'alpha\r\nbeta\r\n' >n/a.txt
commit
touch n/a.txt
