#!/usr/bin/env bash
# hazard: The object named as HEAD's commit is a blob.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo blob | disguise "$(git rev-parse HEAD)" blob
