#!/usr/bin/env bash
# hazard: core.worktree names the parent folder, where the tracked files were laid too.
# verdict: refused
# refused: not-root
# git: dirty
# says: "?? ws/a.txt"
# says: "?? ws/d/b.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
cp -Rp a.txt d ..
git config core.worktree ../..
