#!/usr/bin/env bash
# hazard: An old-style sparse checkout; an excluded file is present again and modified.
# verdict: refused
# refused: flagged-index
# git: dirty
# says: " M d/b.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.sparseCheckout true
echo /a.txt >.git/info/sparse-checkout
git read-tree -m -u HEAD
mkdir -p d
echo other >d/b.txt
