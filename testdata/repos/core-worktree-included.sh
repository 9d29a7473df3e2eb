#!/usr/bin/env bash
# hazard: core.worktree points elsewhere from an included file.
# verdict: refused
# refused: not-root
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir ../other
printf '[core]\n\tworktree = %s\n' "$ROOT/other" >.git/more
git config include.path more
