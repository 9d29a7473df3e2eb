#!/usr/bin/env bash
# hazard: An untracked folder whose .git file names a real git directory.
# verdict: dirty
# git: dirty
# says: "?? nest/"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git init -q --template= --separate-git-dir=../store nest
echo x >nest/f
