#!/usr/bin/env bash
# hazard: A file called .git in a tracked folder.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo hidden >d/.git
