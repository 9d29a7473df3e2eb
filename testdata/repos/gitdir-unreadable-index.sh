#!/usr/bin/env bash
# hazard: The index cannot be read.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
# needs: unprivileged
set -eu
. "$FIXTURE/prelude.bash"

plain
chmod 000 .git/index
