#!/usr/bin/env bash
# hazard: The index is a FIFO that nobody writes to.
# verdict: refused
# refused: git-failed unsupported-repository store-file
# git: hangs
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
rm .git/index
mkfifo .git/index
