#!/usr/bin/env bash
# hazard: A filter that fails and is not required: git takes the content as it is.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.txt filter=bad' >.gitattributes
commit
git config filter.bad.clean false
touch a.txt
