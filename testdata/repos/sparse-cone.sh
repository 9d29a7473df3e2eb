#!/usr/bin/env bash
# hazard: A sparse checkout in cone mode with a full index.
# verdict: refused
# refused: flagged-index
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir e
echo e >e/e
commit
git sparse-checkout set --cone --no-sparse-index d
