#!/usr/bin/env bash
# hazard: status.showUntrackedFiles=no, and an untracked file.
# verdict: dirty
# git: dirty
# says: "?? u"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config status.showUntrackedFiles no
echo u >u
