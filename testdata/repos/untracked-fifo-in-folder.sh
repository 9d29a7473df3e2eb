#!/usr/bin/env bash
# hazard: A folder that holds nothing but a FIFO.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir e
mkfifo e/u
