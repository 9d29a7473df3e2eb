#!/usr/bin/env bash
# hazard: Ignored by core.excludesFile in ~/.gitconfig.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config --global core.excludesFile '~/ignore'
echo '*.log' >~/ignore
touch x.log
