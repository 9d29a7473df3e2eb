#!/usr/bin/env bash
# hazard: An ignored folder with one tracked file and an ignored one.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo /d/ >.gitignore
commit
touch d/u
