#!/usr/bin/env bash
# hazard: A folder called v1. with a tracked file.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws v1.
echo x >v1./x
commit
