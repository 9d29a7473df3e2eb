#!/usr/bin/env bash
# hazard: HEAD's root tree is a truncated loose file.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
tree=$(loose "$(git rev-parse HEAD^{tree})")
bytes "$tree" 'substr($_, 12) = ""'
