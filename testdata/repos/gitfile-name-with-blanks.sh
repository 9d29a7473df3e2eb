#!/usr/bin/env bash
# hazard: A .git file whose path has blanks and bytes beyond ASCII.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mv .git "../ré al "
printf 'gitdir: ../ré al \n' >.git
