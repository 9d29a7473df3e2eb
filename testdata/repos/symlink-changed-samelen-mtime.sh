#!/usr/bin/env bash
# hazard: A symbolic link points to another target of the same length, its time restored.
# verdict: dirty
# git: dirty
# says: " M l1"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
ln -s one l1
old l1
commit
ln -sfn two l1
old l1
