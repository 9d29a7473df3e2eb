#!/usr/bin/env bash
# hazard: An unborn HEAD and nothing at all: git says clean.
# verdict: refused
# refused: git-failed
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

new ws
