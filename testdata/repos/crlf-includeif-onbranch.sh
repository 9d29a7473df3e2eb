#!/usr/bin/env bash
# hazard: core.autocrlf=true from an includeIf onbranch: file.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf '[includeIf "onbranch:main"]\n\tpath = more\n' >>.git/config
printf '[core]\n\tautocrlf = true\n' >.git/more
printf 'alpha\r\nbeta\r\n' >a.txt
commit
touch a.txt
