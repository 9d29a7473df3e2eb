#!/usr/bin/env bash
# hazard: A required driver without a clean command.
# verdict: refused
# refused: git-failed unsupported-repository not-clean
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.txt filter=half' >.gitattributes
commit
git config filter.half.smudge cat
git config filter.half.required true
touch a.txt
