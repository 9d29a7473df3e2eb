#!/usr/bin/env bash
# hazard: HEAD's root tree is replaced by the tree of the staged change: git itself says clean.
# verdict: dirty
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
echo more >>a.txt
old a.txt
git add a.txt
git replace "$(git rev-parse HEAD^{tree})" "$(git write-tree)"
