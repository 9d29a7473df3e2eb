#!/usr/bin/env bash
# hazard: working-tree-encoding=UTF-16: the worktree has UTF-16, the blob UTF-8.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo '*.txt text working-tree-encoding=UTF-16' >.gitattributes
perl -e 'print "\xff\xfea\0b\0\n\0"' >a.txt
commit
touch a.txt
