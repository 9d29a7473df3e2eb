#!/usr/bin/env bash
# hazard: An unborn HEAD with one staged file.
# verdict: refused
# refused: git-failed
# git: dirty
# says: "A  a"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo a >a
git add a
