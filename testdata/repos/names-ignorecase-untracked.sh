#!/usr/bin/env bash
# hazard: core.ignoreCase=true, a tracked README and an untracked readme beside it: git hides it.
# verdict: clean
# git: clean
# way: git
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config core.ignoreCase true
echo x >README
commit
echo y >readme
