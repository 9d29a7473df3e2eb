#!/usr/bin/env bash
# hazard: A path with line end conversion, ident and a filter at once.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
rot13
echo '*.txt filter=rot13 ident text eol=crlf' >.gitattributes
printf '$Vq$ alpha\n' >a.txt
commit
rm a.txt
git checkout -q -- a.txt
touch a.txt
