#!/usr/bin/env bash
# hazard: A bare repository lies untracked in the worktree: its files are listed.
# verdict: dirty
# git: dirty
# says: "?? nest.git/HEAD"
# says: "?? nest.git/config"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git init -q --bare --template= nest.git
