#!/usr/bin/env bash
# hazard: Tracked files called .gitignore and .gitattributes deep in ignored places, with nothing in them.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir -p out/e
: >out/e/.gitignore
: >out/e/.gitattributes
commit
echo out/ >.git/info/exclude
