#!/usr/bin/env bash
# hazard: A required filter that fails.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.txt filter=bad' >.gitattributes
commit
git config filter.bad.clean false
git config filter.bad.required true
touch a.txt
