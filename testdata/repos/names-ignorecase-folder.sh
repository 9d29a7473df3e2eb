#!/usr/bin/env bash
# hazard: core.ignoreCase=true and an untracked folder that differs from a tracked one only in case.
# verdict: dirty
# git: dirty
# says: "?? D/x"
# way: git
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.ignoreCase true
mkdir D
echo x >D/x
