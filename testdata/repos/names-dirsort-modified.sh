#!/usr/bin/env bash
# hazard: The same, all modified: the order of the status is the index's.
# verdict: dirty
# git: dirty
# says: " M a-b"
# says: " M a.b"
# says: " M a/-"
# says: " M a/b"
# says: " M a0"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws a
for name in a-b a/b a.b a0 a/-; do echo "$name" >"$name"; done
commit
for name in a-b a/b a.b a0 a/-; do echo more >>"$name"; done
