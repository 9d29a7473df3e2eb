#!/usr/bin/env bash
# hazard: packed-refs holds the commit that the checkout equals; the loose branch file holds a later one.
# verdict: dirty
# git: dirty
# says: "M  a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git pack-refs --all
first=$(git rev-parse HEAD)
echo more >>a.txt
commit later
git read-tree -m -u "$first"
