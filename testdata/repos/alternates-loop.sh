#!/usr/bin/env bash
# hazard: Two object stores that are each other's alternates, and one that is its own.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir -p .git/objects/info ../other/objects/info
printf '../../../other/objects\n.\n' >.git/objects/info/alternates
echo "$PWD/.git/objects" >../other/objects/info/alternates
