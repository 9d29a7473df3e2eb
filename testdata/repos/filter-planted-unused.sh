#!/usr/bin/env bash
# hazard: A planted filter driver that no attribute uses must never run.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
trap_command ../filter
git config filter.evil.clean "$ROOT/filter"
git config filter.evil.process "$ROOT/filter"
touch a.txt
