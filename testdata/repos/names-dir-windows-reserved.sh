#!/usr/bin/env bash
# hazard: A folder called aux, a tracked file inside.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws aux
echo x >aux/x
commit
