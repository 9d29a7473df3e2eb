#!/usr/bin/env bash
# hazard: An untracked symbolic link to a folder that holds ignored and other files: one entry, never followed.
# verdict: dirty
# git: dirty
# says: "?? loop"
# says: "?? u"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir ../outside
touch ../outside/x
ln -s ../outside u
ln -s . loop
