#!/usr/bin/env bash
# hazard: Tracked files and folders belong to another user, the root and the git directory do not.
# verdict: clean
# git: clean
# way: own
# needs: root
set -eu
. "$FIXTURE/prelude.bash"

plain
chown -R 65534 a.txt d
