#!/usr/bin/env bash
# hazard: The extension REUC, with a path that lacks stages.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
a=$(git rev-parse :a.txt)
printf '0 %s\ta.txt\n100644 %s 1\ta.txt\n100644 %s 3\ta.txt\n' "$a" "$a" "$a" | git update-index --index-info
git add a.txt
