#!/usr/bin/env bash
# hazard: A real directory named with a trailing slash.
# verdict: clean
# git: clean
# way: own
# workspace: ws/
set -eu
. "$FIXTURE/prelude.bash"

plain
