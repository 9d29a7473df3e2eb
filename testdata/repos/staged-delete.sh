#!/usr/bin/env bash
# hazard: A staged deletion, and one whose file is still there.
# verdict: dirty
# git: dirty
# says: "D  a.txt"
# says: "D  d/b.txt"
# says: "?? d/b.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git rm -q a.txt
git rm -q --cached d/b.txt
