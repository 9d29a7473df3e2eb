#!/usr/bin/env bash
# hazard: The object named as HEAD's commit names the tree of a staged change: git itself says clean.
# verdict: refused
# refused: git-failed not-clean source-moved
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
first=$(git rev-parse HEAD)
echo more >>a.txt
old a.txt
git add a.txt
two=$(git write-tree)
git cat-file commit HEAD | sed "s/^tree .*/tree $two/" | disguise "$first" commit
