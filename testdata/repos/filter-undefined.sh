#!/usr/bin/env bash
# hazard: An attribute names a filter that nobody defined.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.txt filter=nobody' >.gitattributes
commit
touch a.txt
