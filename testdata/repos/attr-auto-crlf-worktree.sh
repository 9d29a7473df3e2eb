#!/usr/bin/env bash
# hazard: text=auto and eol=crlf: CR LF on disk, LF in the blob.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo '* text=auto eol=crlf' >.gitattributes
printf 'alpha\r\nbeta\r\n' >a.txt
commit
touch a.txt
