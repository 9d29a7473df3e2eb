#!/usr/bin/env bash
# hazard: The branch file holds garbage while packed-refs has a value.
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
echo garbage >.git/refs/heads/main
