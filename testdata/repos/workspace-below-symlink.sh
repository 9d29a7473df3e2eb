#!/usr/bin/env bash
# hazard: A checkout reached through a symbolic link higher up.
# verdict: clean
# git: clean
# way: own
# workspace: link/ws
set -eu
. "$FIXTURE/prelude.bash"

mkdir real
plain real/ws
ln -s real "$ROOT/link"
