#!/usr/bin/env bash
# hazard: core.autocrlf=true and a file of mixed line ends since it was added.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config core.autocrlf true
printf 'alpha\r\nbeta\ngamma\r\n' >a.txt
commit
touch a.txt
