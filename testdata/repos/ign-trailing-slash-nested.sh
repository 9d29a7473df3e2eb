#!/usr/bin/env bash
# hazard: A pattern with only a trailing slash matches at every depth.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo 'build/' >.gitignore
commit
mkdir -p build d/build d/e/build
touch build/x d/build/x d/e/build/x
