#!/usr/bin/env bash
# hazard: A .git file that ends in CR LF.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mv .git ../real
printf 'gitdir: ../real\r\n' >.git
