#!/usr/bin/env bash
# hazard: info/attributes is a FIFO that nobody writes to.
# verdict: refused
# refused: git-failed unsupported-repository unsupported-change
# git: hangs
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkfifo .git/info/attributes
touch a.txt
