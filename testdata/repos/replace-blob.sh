#!/usr/bin/env bash
# hazard: A blob is replaced: the status is empty although git diff HEAD is not.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
git replace "$(git rev-parse HEAD:a.txt)" "$(echo other | git hash-object -w --stdin)"
