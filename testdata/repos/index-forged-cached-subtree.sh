#!/usr/bin/env bash
# hazard: A cached subtree is HEAD's while its entries make another, and so is the cached root: git itself says clean.
# verdict: dirty
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
first=$(git rev-parse HEAD)
one=$(git rev-parse HEAD^{tree})
one_d=$(git rev-parse HEAD:d)
echo more >>d/b.txt
old d/b.txt
commit second
two=$(git rev-parse HEAD^{tree})
two_d=$(git rev-parse HEAD:d)
git update-ref refs/heads/main "$first"
swap .git/index "$two" "$one"
swap .git/index "$two_d" "$one_d"
