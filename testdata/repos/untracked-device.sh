#!/usr/bin/env bash
# hazard: An untracked device node.
# verdict: clean
# git: clean
# way: own
# needs: root linux
set -eu
. "$FIXTURE/prelude.bash"

plain
mknod u c 1 3
