#!/usr/bin/env bash
# hazard: packed-refs with names of which one is the beginning of the other, and a branch named like the end of another.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
first=$(git rev-parse HEAD)
echo more >>a.txt
commit later
git update-ref refs/heads/mai "$first"
git update-ref refs/heads/main2 "$first"
git update-ref refs/heads/x/refs/heads/main "$first"
git update-ref refs/remotes/origin/main "$first"
git pack-refs --all --prune
