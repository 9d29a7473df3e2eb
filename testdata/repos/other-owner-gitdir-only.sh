#!/usr/bin/env bash
# hazard: Only the git directory belongs to another user.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
# needs: root
set -eu
. "$FIXTURE/prelude.bash"

plain
chown -R 65534 .git
