#!/usr/bin/env bash
# hazard: A folder with tracked files that can be listed but not entered.
# verdict: refused
# refused: unsupported-change not-clean
# git: clean
# way: -
# needs: unprivileged
set -eu
. "$FIXTURE/prelude.bash"

plain
chmod 444 d
