#!/usr/bin/env bash
# hazard: .git is a FIFO.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mv .git ../store
mkfifo .git
