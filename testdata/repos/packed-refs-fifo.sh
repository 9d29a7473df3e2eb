#!/usr/bin/env bash
# hazard: packed-refs is a FIFO that nobody writes to; the branch itself is loose.
# verdict: refused
# refused: git-failed unsupported-repository
# git: hangs
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkfifo .git/packed-refs
