#!/usr/bin/env bash
# hazard: An untracked folder that cannot be listed: git warns and says clean.
# verdict: refused
# refused: unsupported-change
# git: clean
# way: -
# needs: unprivileged
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir u
echo hidden >u/u
chmod 000 u
