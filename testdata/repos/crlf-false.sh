#!/usr/bin/env bash
# hazard: core.autocrlf=false over a global true.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config --global core.autocrlf true
git config core.autocrlf false
printf 'alpha\r\nbeta\r\n' >a.txt
commit
touch a.txt
