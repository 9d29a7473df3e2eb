#!/usr/bin/env bash
# hazard: A nested untracked repository with a commit.
# verdict: dirty
# git: dirty
# says: "?? nest/"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git init -q --template= nest
echo x >nest/f
git -C nest add f
git -C nest commit -q -m x
