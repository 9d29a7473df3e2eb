#!/usr/bin/env bash
# hazard: out/ and !out/keep: the folder stays ignored.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf 'out/\n!out/keep\n' >.git/info/exclude
mkdir out
touch out/keep
