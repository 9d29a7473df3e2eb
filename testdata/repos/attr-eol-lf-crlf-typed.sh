#!/usr/bin/env bash
# hazard: eol=lf and CR LF typed over LF: git says modified by size, its diff is empty.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.txt eol=lf' >.gitattributes
commit attributes
printf 'alpha\r\nbeta\r\n' >a.txt
