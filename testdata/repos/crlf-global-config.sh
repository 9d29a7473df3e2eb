#!/usr/bin/env bash
# hazard: core.autocrlf=true only in ~/.gitconfig.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config --global core.autocrlf true
printf 'alpha\r\nbeta\r\n' >a.txt
commit
touch a.txt
