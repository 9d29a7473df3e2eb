#!/usr/bin/env bash
# hazard: A required long-running filter that dies at once.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo alpha >a.dat
commit
echo '*.dat filter=case' >.gitattributes
git add .gitattributes
git commit -q -m filter
git config filter.case.process 'exit 3'
git config filter.case.required true
touch a.dat
