#!/usr/bin/env bash
# hazard: An untracked folder with ignored files only.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.o' >.git/info/exclude
mkdir -p z/y
touch z/y/a.o z/b.o
