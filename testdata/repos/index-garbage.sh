#!/usr/bin/env bash
# hazard: The index is garbage of plausible length.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
bytes .git/index '$_ = "garbage " x 40'
