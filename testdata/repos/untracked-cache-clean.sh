#!/usr/bin/env bash
# hazard: The untracked cache's extension, nothing untracked.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git update-index --force-untracked-cache
git status --porcelain
