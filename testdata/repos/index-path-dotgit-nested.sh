#!/usr/bin/env bash
# hazard: An index entry below a nested .git folder.
# verdict: refused
# refused: unsafe-path
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir -p d/xgit
echo x >d/xgit/x
old d/xgit/x
commit
forge .git/index 's/d\/xgit\/x/d\/.git\/x/g or die "not found\n"'
mv d/xgit d/.git
