#!/usr/bin/env bash
# hazard: HEAD's commit is an empty file, as after a power cut.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
commit=$(loose "$(git rev-parse HEAD)")
rm -f "$commit"
: >"$commit"
