#!/usr/bin/env bash
# hazard: A split index, clean.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
git update-index --split-index
