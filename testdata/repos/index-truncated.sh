#!/usr/bin/env bash
# hazard: The index ends inside its first entry.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
bytes .git/index 'substr($_, 30) = ""'
