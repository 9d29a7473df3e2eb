#!/usr/bin/env bash
# hazard: HEAD is a symbolic link that points outside refs/.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
rm .git/HEAD
ln -s ../../elsewhere .git/HEAD
