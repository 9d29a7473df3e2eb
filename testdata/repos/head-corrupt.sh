#!/usr/bin/env bash
# hazard: The HEAD file holds garbage.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo garbage >.git/HEAD
