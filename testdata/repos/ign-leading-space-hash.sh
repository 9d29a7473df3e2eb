#!/usr/bin/env bash
# hazard: A leading blank is significant, before a hash too.
# verdict: dirty
# git: dirty
# says: "?? x.log"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf ' x.log\n #y\n' >.git/info/exclude
touch x.log ' #y'
