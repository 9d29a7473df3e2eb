#!/usr/bin/env bash
# hazard: core.autocrlf=true and a file with a lone CR, which counts as binary.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config core.autocrlf true
printf 'alpha\r\nbe\rta\r\n' >a.txt
commit
touch a.txt
