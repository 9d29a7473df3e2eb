#!/usr/bin/env bash
# hazard: A folder with tracked files that cannot be searched.
# verdict: refused
# refused: unsupported-change not-clean
# git: clean
# way: -
# needs: unprivileged
set -eu
. "$FIXTURE/prelude.bash"

plain
chmod 000 d
