#!/usr/bin/env bash
# hazard: A tracked file was replaced by a FIFO that nobody writes to.
# verdict: refused
# refused: unsupported-change not-clean
# git: dirty
# says: " M a.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
rm a.txt
mkfifo a.txt
