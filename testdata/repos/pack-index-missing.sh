#!/usr/bin/env bash
# hazard: The pack is there, its index is not.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git repack -q -a -d
rm -f .git/objects/pack/*.idx
