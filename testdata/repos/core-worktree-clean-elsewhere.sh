#!/usr/bin/env bash
# hazard: core.worktree points to a clean copy elsewhere, while the workspace is dirty.
# verdict: refused
# refused: not-root
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
cp -Rp . ../other
rm -r ../other/.git
git config core.worktree ../../other
echo dirt >>a.txt
