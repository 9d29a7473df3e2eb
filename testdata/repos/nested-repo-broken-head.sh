#!/usr/bin/env bash
# hazard: A nested .git folder without a HEAD is no repository: its siblings are listed.
# verdict: dirty
# git: dirty
# says: "?? nest/f"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git init -q --template= nest
echo x >nest/f
rm nest/.git/HEAD
