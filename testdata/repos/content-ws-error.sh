#!/usr/bin/env bash
# hazard: Trailing blanks and blank lines at the end under core.whitespace and apply.whitespace=fix.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.whitespace trailing-space,space-before-tab,blank-at-eof
git config apply.whitespace fix
printf 'alpha  \n \tbeta\n\n\n' >a.txt
