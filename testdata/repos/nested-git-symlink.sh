#!/usr/bin/env bash
# hazard: An untracked folder whose .git is a symbolic link to this repository's.
# verdict: dirty
# git: dirty
# says: "?? nest/f"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir nest
ln -s ../.git nest/.git
echo x >nest/f
