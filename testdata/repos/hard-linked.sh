#!/usr/bin/env bash
# hazard: Tracked files are hard links of each other and of files outside.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
cp a.txt e.txt
old e.txt
commit
ln -f a.txt e.txt
ln a.txt ../outside
