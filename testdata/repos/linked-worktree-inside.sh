#!/usr/bin/env bash
# hazard: A linked worktree that lies untracked inside the checkout is one entry.
# verdict: dirty
# git: dirty
# says: "?? wt/"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git worktree add -q wt -b side
