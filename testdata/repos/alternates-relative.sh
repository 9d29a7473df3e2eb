#!/usr/bin/env bash
# hazard: A relative alternate, with a comment, an empty line and a quoted path.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain src
mkdir -p ../ws/.git
cp -R .git/HEAD .git/config .git/refs .git/index ../ws/.git
cp -p a.txt ../ws
cp -Rp d ../ws
cd ../ws
mkdir -p .git/objects/info
printf '# comment\n\n"../../../src/.git/\\157bjects"\n' >.git/objects/info/alternates
