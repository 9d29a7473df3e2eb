#!/usr/bin/env bash
# hazard: text=auto on LF files and a binary one: a conversion is possible, none happens.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo '* text=auto' >.gitattributes
printf 'alpha\nbeta\n' >a.txt
printf 'a\0\r\n' >a.bin
commit
touch a.txt a.bin
