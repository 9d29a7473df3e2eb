#!/usr/bin/env bash
# hazard: Set-user-id, set-group-id and sticky bits on a file and a folder.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
chmod 7644 a.txt
chmod 7755 d
