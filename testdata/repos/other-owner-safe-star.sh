#!/usr/bin/env bash
# hazard: A repository of another user, safe.directory is a star.
# verdict: clean
# git: clean
# way: own
# needs: root
set -eu
. "$FIXTURE/prelude.bash"

plain
git config --global safe.directory '*'
chown -R 65534 "$ROOT/ws"
