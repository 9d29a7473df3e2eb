#!/usr/bin/env bash
# hazard: HEAD is a FIFO that nobody writes to.
# verdict: refused
# refused: git-failed unsupported-repository
# git: hangs
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
rm .git/HEAD
mkfifo .git/HEAD
