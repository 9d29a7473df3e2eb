#!/usr/bin/env bash
# hazard: GIT_REPLACE_REF_BASE points to references that replace HEAD.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo more >>a.txt
git add a.txt
other=$(git commit-tree -m other "$(git write-tree)")
git reset -q --hard
git update-ref "refs/planted/$(git rev-parse HEAD)" "$other"
echo GIT_REPLACE_REF_BASE=refs/planted/ >../env
