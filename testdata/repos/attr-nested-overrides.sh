#!/usr/bin/env bash
# hazard: A nested .gitattributes takes back what the root's says, info/attributes sets it again for one file.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws n
echo '*.txt eol=crlf' >.gitattributes
echo '*.txt -text -eol' >n/.gitattributes
echo 'n/c.txt text eol=crlf' >.git/info/attributes
printf 'alpha\r\n' >a.txt
printf 'alpha\n' >n/b.txt
printf 'alpha\r\n' >n/c.txt
commit
touch a.txt n/b.txt n/c.txt
