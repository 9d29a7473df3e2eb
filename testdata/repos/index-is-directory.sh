#!/usr/bin/env bash
# hazard: The index is a directory.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
rm .git/index
mkdir .git/index
