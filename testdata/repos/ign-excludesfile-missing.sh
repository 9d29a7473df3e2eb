#!/usr/bin/env bash
# hazard: core.excludesFile names a missing file; the default file does not count then.
# verdict: dirty
# git: dirty
# says: "?? x.log"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir -p ~/.config/git
echo '*.log' >~/.config/git/ignore
git config core.excludesFile /nonexistent
touch x.log
