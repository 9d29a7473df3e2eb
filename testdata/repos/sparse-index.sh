#!/usr/bin/env bash
# hazard: A sparse index: a directory is one entry.
# verdict: refused
# refused: flagged-index unsupported-repository
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir e
echo e >e/e
commit
git sparse-checkout set --cone --sparse-index d
