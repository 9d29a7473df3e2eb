#!/usr/bin/env bash
# hazard: The git directory cannot be written.
# verdict: clean
# git: clean
# way: own
# needs: unprivileged
set -eu
. "$FIXTURE/prelude.bash"

plain
chmod -R a-w .git
