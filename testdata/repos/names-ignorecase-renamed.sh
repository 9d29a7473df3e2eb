#!/usr/bin/env bash
# hazard: core.ignoreCase=true, README renamed to readme on a disk that keeps case apart.
# verdict: dirty
# git: dirty
# says: " D README"
# way: git
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config core.ignoreCase true
echo x >README
commit
mv README readme
