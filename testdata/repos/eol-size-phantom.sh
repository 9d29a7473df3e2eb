#!/usr/bin/env bash
# hazard: A text file with LF in the index and CR LF in the worktree: modified by size, the diff is empty.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.txt text' >.gitattributes
commit text
printf 'alpha\r\nbeta\r\n' >a.txt
