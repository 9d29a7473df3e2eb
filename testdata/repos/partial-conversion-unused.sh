#!/usr/bin/env bash
# hazard: An eol attribute that covers no tracked path.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.bat eol=crlf' >.gitattributes
commit
touch a.txt
