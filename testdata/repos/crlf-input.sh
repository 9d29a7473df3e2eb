#!/usr/bin/env bash
# hazard: core.autocrlf=input and CR LF on disk since the file was added.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config core.autocrlf input
printf 'alpha\r\nbeta\r\n' >a.txt
commit
touch a.txt
