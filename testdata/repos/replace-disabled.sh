#!/usr/bin/env bash
# hazard: HEAD's commit is replaced, but core.useReplaceRefs=false.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo more >>a.txt
git add a.txt
other=$(git commit-tree -m other "$(git write-tree)")
git reset -q --hard
git replace HEAD "$other"
git config core.useReplaceRefs false
