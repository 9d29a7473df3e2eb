#!/usr/bin/env bash
# hazard: The repository's configuration is a FIFO that nobody writes to.
# verdict: refused
# refused: git-failed unsupported-repository
# git: hangs
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
rm .git/config
mkfifo .git/config
