#!/usr/bin/env bash
# hazard: An untracked file that cannot be read is listed all the same.
# verdict: dirty
# git: dirty
# says: "?? u"
# way: own
# needs: unprivileged
set -eu
. "$FIXTURE/prelude.bash"

plain
echo u >u
chmod 000 u
