#!/usr/bin/env bash
# hazard: The index trailer is corrupt: git does not verify it on reading and says clean.
# verdict: refused
# refused: git-failed unsupported-repository
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
bytes .git/index 'substr($_, -20, 4) = raw("deadbeef")'
