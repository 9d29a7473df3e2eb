#!/usr/bin/env bash
# hazard: An ignored folder with thousands of files, which nobody should read.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo /nm/ >.git/info/exclude
mkdir -p nm/1 nm/2
(cd nm/1 && seq 1 1500 | xargs touch)
(cd nm/2 && seq 1 1500 | xargs touch)
