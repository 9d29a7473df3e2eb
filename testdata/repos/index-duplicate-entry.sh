#!/usr/bin/env bash
# hazard: Two index entries of one name and stage.
# verdict: refused
# refused: git-failed unsafe-path flagged-index unsupported-repository
# git: dirty
# says: "AM a.txt"
# says: "D  a.txu"
# says: "?? a.txu"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo x >a.txu
commit
rename_entry a.txu a.txt
