#!/usr/bin/env bash
# hazard: HEAD's branch names an annotated tag of the right commit: git peels it and says clean, but HEAD is no commit.
# verdict: refused
# refused: git-failed
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git tag -a -m tag v1
tag=$(git rev-parse v1)
echo "$tag" >.git/refs/heads/main
