#!/usr/bin/env bash
# hazard: A clean filter, and the worktree holds the raw blob's bytes: git says modified.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
rot13
git add .gitattributes
git commit -q -m filter
touch a.txt
