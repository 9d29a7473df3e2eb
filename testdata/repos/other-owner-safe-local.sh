#!/usr/bin/env bash
# hazard: A repository of another user whose own configuration says that it is safe: that does not count.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
# needs: root
set -eu
. "$FIXTURE/prelude.bash"

plain
git config safe.directory '*'
chown -R 65534 "$ROOT/ws"
