#!/usr/bin/env bash
# hazard: core.symlinks=false and the file that stands for a link was edited.
# verdict: dirty
# git: dirty
# says: " M l"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
ln -s a.txt l
commit
git config core.symlinks false
rm l
printf b.txt >l
