#!/usr/bin/env bash
# hazard: A linked worktree: HEAD and index are private, objects and refs are shared.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain main
git worktree add -q ../ws -b side
