#!/usr/bin/env bash
# hazard: The configuration includes itself.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git config include.path config
