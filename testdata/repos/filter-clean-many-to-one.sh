#!/usr/bin/env bash
# hazard: A clean filter that maps every content to the same blob: an edit never shows.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config filter.constant.clean 'cat >/dev/null; echo constant'
echo '*.txt filter=constant' >.gitattributes
echo one >a.txt
commit
echo two >a.txt
