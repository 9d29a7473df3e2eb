#!/usr/bin/env bash
# hazard: HEAD is a symbolic link file (old style).
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
rm .git/HEAD
ln -s refs/heads/main .git/HEAD
