#!/usr/bin/env bash
# hazard: HEAD names a reference outside refs/.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git rev-parse HEAD >.git/elsewhere
echo 'ref: elsewhere' >.git/HEAD
