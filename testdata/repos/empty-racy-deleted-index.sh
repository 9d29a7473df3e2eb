#!/usr/bin/env bash
# hazard: The index file is missing: everything is deleted in the index and untracked on disk.
# verdict: dirty
# git: dirty
# says: "D  a.txt"
# says: "D  d/b.txt"
# says: "?? a.txt"
# says: "?? d/b.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
rm .git/index
