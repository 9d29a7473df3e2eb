#!/usr/bin/env bash
# hazard: core.fsmonitor names a planted command; the index knows nothing of it.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
trap_command .git/monitor
git config core.fsmonitor "$PWD/.git/monitor"
