#!/usr/bin/env bash
# hazard: core.fsmonitor=true would start a daemon.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.fsmonitor true
