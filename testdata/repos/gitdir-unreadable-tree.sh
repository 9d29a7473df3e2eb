#!/usr/bin/env bash
# hazard: HEAD's root tree cannot be read.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
# needs: unprivileged
set -eu
. "$FIXTURE/prelude.bash"

plain
chmod 000 "$(loose "$(git rev-parse HEAD^{tree})")"
