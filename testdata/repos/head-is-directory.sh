#!/usr/bin/env bash
# hazard: HEAD is a directory.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
rm .git/HEAD
mkdir .git/HEAD
