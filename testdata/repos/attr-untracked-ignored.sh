#!/usr/bin/env bash
# hazard: An untracked and ignored .gitattributes converts all the same.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
echo .gitattributes >.git/info/exclude
echo '*.txt eol=crlf' >.gitattributes
rm a.txt
git checkout -q -- a.txt
touch a.txt
