#!/usr/bin/env bash
# hazard: ident: the worktree has an expanded $Id$.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo '*.txt ident' >.gitattributes
echo '$Id$' >a.txt
commit
rm a.txt
git checkout -q -- a.txt
touch a.txt
