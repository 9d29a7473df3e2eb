#!/usr/bin/env bash
# hazard: A repository owned by another user, safe.directory unset.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
# needs: root
set -eu
. "$FIXTURE/prelude.bash"

plain
chown -R 65534 "$ROOT/ws"
