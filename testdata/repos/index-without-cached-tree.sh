#!/usr/bin/env bash
# hazard: An index without cached trees.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git ls-files -s | GIT_INDEX_FILE="$PWD/.git/fresh" git update-index --index-info
mv .git/fresh .git/index
git update-index -q --refresh
