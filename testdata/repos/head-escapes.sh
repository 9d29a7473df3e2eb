#!/usr/bin/env bash
# hazard: HEAD names a file outside the git directory through dot-dot components.
# verdict: refused
# refused: git-failed
# git: dirty
# says: "A  a.txt"
# says: "A  d/b.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git rev-parse HEAD >../planted
echo 'ref: refs/../../planted' >.git/HEAD
