#!/usr/bin/env bash
# hazard: A trailing tab is a part of the pattern.
# verdict: dirty
# git: dirty
# says: "?? x.log"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf 'x.log\t\n' >.git/info/exclude
touch x.log
