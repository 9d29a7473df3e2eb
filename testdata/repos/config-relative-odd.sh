#!/usr/bin/env bash
# hazard: Configuration with odd letter case, a continued line and an include of a missing file.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf '[CORE]\n\tAutoCRLF = tr\\\nue\n[include]\n\tpath = missing.inc\n' >>.git/config
printf 'alpha\r\nbeta\r\n' >a.txt
commit
touch a.txt
