#!/usr/bin/env bash
# hazard: An empty .git file, inside the worktree of an outer repository that git might answer for.
# verdict: refused
# refused: git-failed not-root
# git: fails
# way: -
# workspace: outer/ws
set -eu
. "$FIXTURE/prelude.bash"

plain outer
mkdir -p ../outer/ws
cd ../outer/ws
: >.git
