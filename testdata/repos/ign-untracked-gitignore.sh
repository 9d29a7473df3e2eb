#!/usr/bin/env bash
# hazard: An untracked .gitignore counts.
# verdict: dirty
# git: dirty
# says: "?? .gitignore"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.log' >.gitignore
touch x.log
