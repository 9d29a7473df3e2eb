#!/usr/bin/env bash
# hazard: The index trailer is all zero (index.skipHash of git 2.40 and later).
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
bytes .git/index 'substr($_, -20) = "\0" x 20'
