#!/usr/bin/env bash
# hazard: Patterns of a nested .gitignore with slashes are relative to it.
# verdict: dirty
# git: dirty
# says: "?? d/f/e/x"
# says: "?? d/f/y"
# says: "?? e/x"
# says: "?? z"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf 'e/x\n/y\n**/z\n' >d/.gitignore
commit
mkdir -p d/e d/f/e e
touch d/e/x d/f/e/x e/x d/y d/f/y d/f/z z
