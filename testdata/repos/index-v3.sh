#!/usr/bin/env bash
# hazard: Index version 3, which extended flags cause and which may stay behind without them.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo n >n.txt
git add -N n.txt
git add n.txt
commit
bytes .git/index 'substr($_, 4, 4) eq raw("00000002") or die "version\n"; substr($_, 4, 4) = raw("00000003"); substr($_, -20) = sha1(substr($_, 0, -20))'
