#!/usr/bin/env bash
# hazard: A .git file without the blank after the colon.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mv .git ../real
printf 'gitdir:../real\n' >.git
