#!/usr/bin/env bash
# hazard: A line of more than 2,048 bytes in .gitattributes, which git ignores, then one that converts.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

new ws
{
	printf 'a.txt eol=crlf %s\n' "$(printf 'x%.0s' $(seq 2100))"
	printf 'b.txt eol=crlf\n'
} >.gitattributes
printf 'x\n' >a.txt
printf 'x\r\n' >b.txt
commit
touch a.txt b.txt
