#!/usr/bin/env bash
# hazard: core.sparseCheckout=true and a skip-worktree file that is present and modified: git drops the flag for itself.
# verdict: refused
# refused: flagged-index
# git: dirty
# says: " M a.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.sparseCheckout true
git update-index --skip-worktree a.txt
echo more >>a.txt
