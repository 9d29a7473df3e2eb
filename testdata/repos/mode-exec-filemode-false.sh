#!/usr/bin/env bash
# hazard: A file was made executable under core.fileMode=false, which the judge overrides.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.fileMode false
chmod +x a.txt
