#!/usr/bin/env bash
# hazard: The index's cached root tree is HEAD's while its entries make another.
# verdict: dirty
# git: dirty
# says: "M  a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
first=$(git rev-parse HEAD)
one=$(git rev-parse HEAD^{tree})
echo more >>a.txt
old a.txt
commit second
two=$(git rev-parse HEAD^{tree})
git update-ref refs/heads/main "$first"
swap .git/index "$two" "$one"
