#!/usr/bin/env bash
# hazard: The branch file holds 39 digits while packed-refs has a value.
# verdict: refused
# refused: git-failed
# git: dirty
# says: "A  a.txt"
# says: "A  d/b.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git pack-refs --all
printf '012345678901234567890123456789012345678' >.git/refs/heads/main
