#!/usr/bin/env bash
# hazard: A sparse checkout by patterns.
# verdict: refused
# refused: flagged-index
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git sparse-checkout set --no-cone '/a.txt'
