#!/usr/bin/env bash
# hazard: A multi-pack index is there, the indexes of its packs are not.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git repack -q -a -d
git multi-pack-index write --no-progress
rm -f .git/objects/pack/*.idx
