#!/usr/bin/env bash
# hazard: A symbolic link points elsewhere.
# verdict: dirty
# git: dirty
# says: " M l1"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
ln -s a.txt l1
commit
ln -sfn d/b.txt l1
