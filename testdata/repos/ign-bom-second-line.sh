#!/usr/bin/env bash
# hazard: A byte order mark before the second pattern is a part of it.
# verdict: dirty
# git: dirty
# says: "?? x.log"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '*.o\n\xef\xbb\xbf*.log\n' >.gitignore
commit
touch x.log
