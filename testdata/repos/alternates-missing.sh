#!/usr/bin/env bash
# hazard: An alternate that is gone and not needed: git warns.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir -p .git/objects/info
echo /nonexistent/objects >.git/objects/info/alternates
