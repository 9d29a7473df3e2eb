#!/usr/bin/env bash
# hazard: working-tree-encoding names an encoding that does not exist: git complains and takes the bytes as they are.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf 'alpha\n' >a.txt
commit
echo '*.txt working-tree-encoding=klingon' >.gitattributes
git add .gitattributes
git commit -q -m encoding
touch a.txt
