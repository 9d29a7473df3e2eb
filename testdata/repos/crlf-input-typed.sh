#!/usr/bin/env bash
# hazard: core.autocrlf=input and CR LF typed over LF: modified by size only.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.autocrlf input
printf 'alpha\r\nbeta\r\n' >a.txt
