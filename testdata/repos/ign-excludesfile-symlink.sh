#!/usr/bin/env bash
# hazard: core.excludesFile is a symbolic link.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.log' >~/real
ln -s real ~/ignore
git config --global core.excludesFile '~/ignore'
touch x.log
