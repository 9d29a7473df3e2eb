#!/usr/bin/env bash
# hazard: An untracked file.
# verdict: dirty
# git: dirty
# says: "?? u"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo u >u
