#!/usr/bin/env bash
# hazard: An untracked folder that holds nothing but a file called .git: git never lists that name.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir nest
echo hidden >nest/.git
