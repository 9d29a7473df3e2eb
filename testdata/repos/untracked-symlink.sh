#!/usr/bin/env bash
# hazard: An untracked dangling symbolic link.
# verdict: dirty
# git: dirty
# says: "?? u"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
ln -s nowhere u
