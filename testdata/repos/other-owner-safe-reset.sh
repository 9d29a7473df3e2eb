#!/usr/bin/env bash
# hazard: A repository of another user: safe.directory names it, then an empty value takes that back.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
# needs: root
set -eu
. "$FIXTURE/prelude.bash"

plain
git config --global safe.directory "$ROOT/ws"
git config --global --add safe.directory ''
chown -R 65534 "$ROOT/ws"
