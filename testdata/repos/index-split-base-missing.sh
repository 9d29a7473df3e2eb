#!/usr/bin/env bash
# hazard: A split index whose shared part is gone.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git update-index --split-index
rm .git/sharedindex.*
