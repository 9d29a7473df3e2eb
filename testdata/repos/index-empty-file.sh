#!/usr/bin/env bash
# hazard: The index is an empty file (a crash).
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
: >.git/index
