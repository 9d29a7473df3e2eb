#!/usr/bin/env bash
# hazard: An assume-unchanged file is as recorded; the flag alone refuses, because it hides what comes.
# verdict: refused
# refused: flagged-index
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git update-index --assume-unchanged d/b.txt
