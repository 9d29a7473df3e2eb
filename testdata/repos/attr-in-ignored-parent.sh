#!/usr/bin/env bash
# hazard: .gitattributes in a tracked subfolder, patterns with a leading slash and with folders.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws n
mkdir n/m
printf '/a.txt eol=crlf\nm/*.txt eol=crlf\n**/c.txt eol=crlf\n' >n/.gitattributes
printf 'x\r\n' >n/a.txt
printf 'x\r\n' >n/m/b.txt
printf 'x\r\n' >n/m/c.txt
printf 'x\n' >a.txt
commit
touch n/a.txt n/m/b.txt n/m/c.txt a.txt
