#!/usr/bin/env bash
# hazard: foo**bar acts as a star.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo 'd/foo**bar' >.git/info/exclude
touch d/fooxbar d/foobar
