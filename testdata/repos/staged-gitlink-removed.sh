#!/usr/bin/env bash
# hazard: HEAD has a gitlink, the index has lost it and the nested repository is still there.
# verdict: dirty
# git: dirty
# says: "D  sub"
# says: "?? sub/"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
submodule sub
git rm -q --cached sub
