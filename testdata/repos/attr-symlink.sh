#!/usr/bin/env bash
# hazard: .gitattributes is a tracked symbolic link, which git does not follow.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.txt eol=crlf' >attrs
ln -s attrs .gitattributes
commit
touch a.txt
