#!/usr/bin/env bash
# hazard: core.symlinks=false: a link is checked out as a regular file.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
ln -s a.txt l
commit
git config core.symlinks false
rm l
printf a.txt >l
git update-index -q --refresh
