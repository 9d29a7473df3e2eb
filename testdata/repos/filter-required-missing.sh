#!/usr/bin/env bash
# hazard: filter.required=true and the command is missing.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.txt filter=gone' >.gitattributes
commit
git config filter.gone.clean /nonexistent/filter
git config filter.gone.required true
touch a.txt
