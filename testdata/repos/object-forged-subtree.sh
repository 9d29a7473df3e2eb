#!/usr/bin/env bash
# hazard: The object named as a subtree of HEAD holds the tree of a staged change: git itself says clean.
# verdict: dirty
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
one=$(git rev-parse HEAD:d)
echo more >>d/b.txt
old d/b.txt
git add d/b.txt
git write-tree >/dev/null
two=$(git rev-parse :d/b.txt)
printf '100644 b.txt\0%b' "$(printf '%s' "$two" | sed 's/../\\x&/g')" | disguise "$one" tree
