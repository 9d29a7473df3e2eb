#!/usr/bin/env bash
# hazard: Sparse checkout is on and its patterns exclude nothing.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.sparseCheckout true
echo '/*' >.git/info/sparse-checkout
git read-tree -m -u HEAD
