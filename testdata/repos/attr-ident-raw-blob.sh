#!/usr/bin/env bash
# hazard: ident: the blob holds an expanded $Id$, and the worktree the same bytes: git says modified.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo '$Id: abc $' >a.txt
commit
echo '*.txt ident' >.gitattributes
git add .gitattributes
git commit -q -m ident
touch a.txt
