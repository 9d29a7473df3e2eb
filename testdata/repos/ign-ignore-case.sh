#!/usr/bin/env bash
# hazard: core.ignoreCase=true: patterns match without regard to case.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.ignoreCase true
echo '*.LOG' >.git/info/exclude
touch x.log
