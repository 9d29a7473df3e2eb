#!/usr/bin/env bash
# hazard: An index entry inside .git, as no git would write it: git reads and compares it.
# verdict: refused
# refused: unsafe-path
# git: dirty
# says: "A  .git/x"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir xgit
echo x >xgit/x
old xgit/x
commit
forge .git/index 's/xgit\/x/.git\/x/g or die "not found\n"'
mv xgit/x .git/x
rmdir xgit
