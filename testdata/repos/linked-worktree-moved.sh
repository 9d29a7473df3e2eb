#!/usr/bin/env bash
# hazard: A linked worktree that was moved by hand: the administrative back pointer names a place that is gone.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain main
git worktree add -q ../before -b side
mv ../before ../ws
