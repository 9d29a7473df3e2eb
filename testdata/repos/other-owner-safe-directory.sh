#!/usr/bin/env bash
# hazard: A repository of another user that the user's own safe.directory names.
# verdict: clean
# git: clean
# way: own
# needs: root
set -eu
. "$FIXTURE/prelude.bash"

plain
git config --global safe.directory "$ROOT/ws"
chown -R 65534 "$ROOT/ws"
