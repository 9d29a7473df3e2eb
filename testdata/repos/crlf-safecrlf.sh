#!/usr/bin/env bash
# hazard: core.safecrlf=true with core.autocrlf=true.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config core.autocrlf true
printf 'alpha\r\nbeta\r\n' >a.txt
commit
git config core.safecrlf true
touch a.txt
