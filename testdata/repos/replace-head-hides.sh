#!/usr/bin/env bash
# hazard: HEAD's commit is replaced by one whose tree is the staged change: git itself says clean.
# verdict: dirty
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
echo more >>a.txt
old a.txt
git add a.txt
git replace HEAD "$(git commit-tree -m other "$(git write-tree)")"
