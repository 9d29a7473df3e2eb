#!/usr/bin/env bash
# hazard: HEAD's branch holds the null object id.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo 0000000000000000000000000000000000000000 >.git/refs/heads/main
