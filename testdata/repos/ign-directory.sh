#!/usr/bin/env bash
# hazard: .gitignore is a folder.
# verdict: dirty
# git: dirty
# says: "?? .gitignore/x"
# says: "?? x.log"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir .gitignore
touch .gitignore/x x.log
