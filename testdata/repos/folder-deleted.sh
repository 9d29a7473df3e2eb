#!/usr/bin/env bash
# hazard: A folder with tracked files is gone.
# verdict: dirty
# git: dirty
# says: " D d/b.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
rm -r d
