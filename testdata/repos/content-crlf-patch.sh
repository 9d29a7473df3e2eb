#!/usr/bin/env bash
# hazard: core.autocrlf=true and a modified file with CR LF: git diff shows LF.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.autocrlf true
printf 'alpha\r\nbeta\r\ngamma\r\n' >a.txt
