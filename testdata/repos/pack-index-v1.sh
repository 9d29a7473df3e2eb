#!/usr/bin/env bash
# hazard: A pack with an index of version 1, as old repositories have.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git -c pack.indexVersion=1 repack -q -a -d
