#!/usr/bin/env bash
# hazard: text=auto and a blob that holds CR LF: git leaves such a file alone.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf 'alpha\r\nbeta\r\n' >a.txt
commit
echo '* text=auto' >.gitattributes
git add .gitattributes
git commit -q -m auto
touch a.txt
