#!/usr/bin/env bash
# hazard: The same with cached times that git believes: it says clean until it looks at the content.
# verdict: dirty
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf 'alpha\r\nbeta\r\n' >a.txt
old a.txt
commit
echo '*.txt text' >.gitattributes
old .gitattributes
git add .gitattributes
git commit -q -m text
