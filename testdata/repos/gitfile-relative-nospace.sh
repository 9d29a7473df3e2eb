#!/usr/bin/env bash
# hazard: A hand-made .git file without a newline, with a relative path.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mv .git ../real
printf 'gitdir: ../real' >.git
