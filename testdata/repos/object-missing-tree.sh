#!/usr/bin/env bash
# hazard: HEAD's root tree is missing.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
rm -f "$(loose "$(git rev-parse HEAD^{tree})")"
