#!/usr/bin/env bash
# hazard: An index entry that climbs out of the worktree.
# verdict: refused
# refused: unsafe-path
# git: dirty
# says: "A  ../x"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir zz
echo x >zz/x
old zz/x
commit
forge .git/index 's/zz\/x/..\/x/g or die "not found\n"'
mv zz/x ../x
