#!/usr/bin/env bash
# hazard: A nested untracked repository without files or commits.
# verdict: dirty
# git: dirty
# says: "?? nest/"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git init -q --template= nest
