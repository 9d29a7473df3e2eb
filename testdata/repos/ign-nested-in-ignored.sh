#!/usr/bin/env bash
# hazard: A .gitignore inside an ignored folder is not read: nothing can be taken back there.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo out/ >.gitignore
commit
mkdir out
echo '!*' >out/.gitignore
touch out/x
