#!/usr/bin/env bash
# hazard: The blob holds CR LF and the attribute text was added later: git says modified though bytes are equal.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf 'alpha\r\nbeta\r\n' >a.txt
commit
echo '*.txt text' >.gitattributes
git add .gitattributes
git commit -q -m text
touch a.txt
