#!/usr/bin/env bash
# hazard: info/exclude is a FIFO: git waits for a writer.
# verdict: refused
# refused: unsupported-change unsupported-repository git-failed not-clean store-file
# git: hangs
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkfifo .git/info/exclude
