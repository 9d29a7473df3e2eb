#!/usr/bin/env bash
# hazard: A conflict whose first stage is HEAD's content, which the worktree has.
# verdict: refused
# refused: flagged-index
# git: dirty
# says: "UU a.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
a=$(git rev-parse :a.txt)
b=$(echo theirs | git hash-object -w --stdin)
printf '0 %s\ta.txt\n100644 %s 1\ta.txt\n100644 %s 2\ta.txt\n100644 %s 3\ta.txt\n' "$a" "$a" "$b" "$b" | git update-index --index-info
