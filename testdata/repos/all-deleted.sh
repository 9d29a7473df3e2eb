#!/usr/bin/env bash
# hazard: Everything but .git is gone.
# verdict: dirty
# git: dirty
# says: " D a.txt"
# says: " D d/b.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
rm -r a.txt d
