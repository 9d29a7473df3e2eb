#!/usr/bin/env bash
# hazard: Attributes only in the file that core.attributesFile names.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config --global core.attributesFile '~/attributes'
echo '*.txt eol=crlf' >~/attributes
printf 'alpha\r\nbeta\r\n' >a.txt
commit
touch a.txt
