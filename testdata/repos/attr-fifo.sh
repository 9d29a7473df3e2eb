#!/usr/bin/env bash
# hazard: An untracked .gitattributes that is a FIFO: git waits for a writer.
# verdict: refused
# refused: unsupported-change git-failed not-clean
# git: hangs
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkfifo .gitattributes
touch a.txt
