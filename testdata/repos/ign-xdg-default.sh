#!/usr/bin/env bash
# hazard: Ignored by the user's default file, ~/.config/git/ignore.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir -p ~/.config/git
echo '*.log' >~/.config/git/ignore
touch x.log
