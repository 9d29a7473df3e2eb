#!/usr/bin/env bash
# hazard: The object named as HEAD's root tree holds the tree of a staged change; git sees that its content has another name.
# verdict: refused
# refused: git-failed not-clean source-moved
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
one=$(git rev-parse HEAD^{tree})
echo more >>a.txt
old a.txt
git add a.txt
two=$(git write-tree)
git cat-file tree "$two" | disguise "$one" tree
