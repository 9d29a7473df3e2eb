#!/usr/bin/env bash
# hazard: working-tree-encoding=UTF-16LE, but the worktree holds the blob's UTF-8 bytes.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf 'alpha\n' >a.txt
commit
echo '*.txt working-tree-encoding=UTF-16LE' >.gitattributes
git add .gitattributes
git commit -q -m encoding
touch a.txt
