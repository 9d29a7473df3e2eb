#!/usr/bin/env bash
# hazard: git init --separate-git-dir: .git is a file with an absolute path.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

git init -q -b main --template= --separate-git-dir=store ws
cd ws
echo alpha >a.txt
old a.txt
commit
