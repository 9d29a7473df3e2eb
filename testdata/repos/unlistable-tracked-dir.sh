#!/usr/bin/env bash
# hazard: A folder with tracked files that can be entered but not listed: untracked files in it stay unseen and git says clean.
# verdict: refused
# refused: unsupported-change
# git: clean
# way: -
# needs: unprivileged
set -eu
. "$FIXTURE/prelude.bash"

plain
echo hidden >d/u
chmod 311 d
