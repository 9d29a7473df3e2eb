#!/usr/bin/env bash
# hazard: A skip-worktree file (no sparse checkout) was modified: git says clean.
# verdict: refused
# refused: flagged-index
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git update-index --skip-worktree a.txt
echo more >>a.txt
