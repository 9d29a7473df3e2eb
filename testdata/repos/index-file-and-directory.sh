#!/usr/bin/env bash
# hazard: An index with both the file d and the file d/b.txt.
# verdict: refused
# refused: git-failed unsafe-path flagged-index unsupported-repository unsupported-change not-clean
# git: dirty
# says: "D  c"
# says: "AD d"
# says: "?? c"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo x >c
commit
rename_entry c d
