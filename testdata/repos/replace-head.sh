#!/usr/bin/env bash
# hazard: HEAD's commit is replaced by one with another tree: git compares with the replacement.
# verdict: dirty
# git: dirty
# says: "M  a.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
echo more >>a.txt
git add a.txt
other=$(git commit-tree -m other "$(git write-tree)")
git reset -q --hard
git replace HEAD "$other"
