#!/usr/bin/env bash
# hazard: Only the worktree's folder belongs to another user.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
# needs: root
set -eu
. "$FIXTURE/prelude.bash"

plain
chown 65534 "$ROOT/ws"
