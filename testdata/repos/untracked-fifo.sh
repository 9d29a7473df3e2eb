#!/usr/bin/env bash
# hazard: An untracked FIFO: git ignores it.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkfifo u d/u
