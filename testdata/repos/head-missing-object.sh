#!/usr/bin/env bash
# hazard: HEAD's branch names an object that does not exist.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo 0123456789012345678901234567890123456789 >.git/refs/heads/main
