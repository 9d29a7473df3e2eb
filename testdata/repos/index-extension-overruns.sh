#!/usr/bin/env bash
# hazard: An extension claims to be longer than the index.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
forge .git/index 's/TREE\0\0\0./TREE\0\1\0\0/s or die "not found\n"'
