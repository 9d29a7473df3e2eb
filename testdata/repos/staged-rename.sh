#!/usr/bin/env bash
# hazard: A staged rename, though the user's configuration asks for renames and copies.
# verdict: dirty
# git: dirty
# says: "D  a.txt"
# says: "A  moved.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config status.renames copies
git config diff.renames copies
git mv a.txt moved.txt
