#!/usr/bin/env bash
# hazard: An untracked folder with a bogus .git file inside.
# verdict: dirty
# git: dirty
# says: "?? nest/f"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir nest
echo bogus >nest/.git
echo x >nest/f
