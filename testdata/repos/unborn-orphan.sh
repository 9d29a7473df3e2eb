#!/usr/bin/env bash
# hazard: HEAD names a branch that does not exist, in a repository that has commits.
# verdict: refused
# refused: git-failed
# git: dirty
# says: "A  a.txt"
# says: "A  d/b.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git symbolic-ref HEAD refs/heads/gone
