#!/usr/bin/env bash
# hazard: -text under autocrlf=true: bytes are compared as they are.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config core.autocrlf true
echo '* -text' >.gitattributes
printf 'alpha\r\nbeta\r\n' >a.txt
commit
touch a.txt
