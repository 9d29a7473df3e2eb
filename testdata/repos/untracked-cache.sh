#!/usr/bin/env bash
# hazard: The untracked cache's extension and a new untracked file.
# verdict: dirty
# git: dirty
# says: "?? d/u"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git update-index --force-untracked-cache
git status --porcelain
echo u >d/u
