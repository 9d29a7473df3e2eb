#!/usr/bin/env bash
# hazard: An add/add conflict, the worktree restored to ours.
# verdict: refused
# refused: flagged-index
# git: dirty
# says: "AA n"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
a=$(echo ours | git hash-object -w --stdin)
b=$(echo theirs | git hash-object -w --stdin)
echo ours >n
git add n
commit
git rm -q --cached n
printf '100644 %s 2\tn\n100644 %s 3\tn\n' "$a" "$b" | git update-index --index-info
