#!/usr/bin/env bash
# hazard: Two branches that name each other.
# verdict: refused
# refused: git-failed
# git: dirty
# says: "A  a.txt"
# says: "A  d/b.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo 'ref: refs/heads/two' >.git/refs/heads/one
echo 'ref: refs/heads/one' >.git/refs/heads/two
echo 'ref: refs/heads/one' >.git/HEAD
