#!/usr/bin/env bash
# hazard: An untracked executable and an untracked empty file.
# verdict: dirty
# git: dirty
# says: "?? u"
# says: "?? v"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
: >u
trap_command v
