#!/usr/bin/env bash
# hazard: core.worktree points elsewhere, where files are missing, while the workspace equals HEAD.
# verdict: refused
# refused: not-root
# git: dirty
# says: " D a.txt"
# says: " D d/b.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir ../other
git config core.worktree "$ROOT/other"
