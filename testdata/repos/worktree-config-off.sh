#!/usr/bin/env bash
# hazard: A config.worktree file that counts for nothing, because the extension is off.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '[core]\n\tautocrlf = true\n\tignoreCase = true\n' >.git/config.worktree
