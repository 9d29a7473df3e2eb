#!/usr/bin/env bash
# hazard: Index entries out of order.
# verdict: refused
# refused: git-failed unsafe-path flagged-index unsupported-repository
# git: dirty
# says: "AD 0.txt"
# says: "D  c.txt"
# says: "?? c.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo x >c.txt
commit
rename_entry c.txt 0.txt
