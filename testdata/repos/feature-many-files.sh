#!/usr/bin/env bash
# hazard: feature.manyFiles: index version 4 and the untracked cache.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config feature.manyFiles true
git update-index --index-version 4 --force-untracked-cache
git status --porcelain
