#!/usr/bin/env bash
# hazard: A checkout that was copied to another place: no cached device, inode or change time is right.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain src
cd ..
cp -Rp src ws
