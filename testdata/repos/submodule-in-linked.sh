#!/usr/bin/env bash
# hazard: A submodule is initialised in a linked worktree and its HEAD moved there.
# verdict: refused
# refused: unsupported-repository
# git: dirty
# says: " M sub"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain main
submodule sub
git worktree add -q ../ws -b side
rmdir ../ws/sub
git clone -q --template= sub ../ws/sub
git -C ../ws/sub commit -q --allow-empty -m two
