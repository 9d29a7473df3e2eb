#!/usr/bin/env bash
# hazard: core.excludesFile is set to nothing.
# verdict: dirty
# git: dirty
# says: "?? x.log"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir -p ~/.config/git
echo '*.log' >~/.config/git/ignore
git config core.excludesFile ''
touch x.log
