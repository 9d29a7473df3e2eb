#!/usr/bin/env bash
# hazard: Under core.ignoreCase=true an untracked .GIT is not seen.
# verdict: clean
# git: clean
# way: git
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.ignoreCase true
mkdir d/.GIT
echo x >d/.GIT/x
