#!/usr/bin/env bash
# hazard: The branch file is empty (a crash) while packed-refs has a value: git sees no commit.
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
: >.git/refs/heads/main
