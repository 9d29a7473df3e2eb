#!/usr/bin/env bash
# hazard: An index entry below .GIT, which is .git on other systems; git refuses to add it everywhere.
# verdict: refused
# refused: unsafe-path
# git: dirty
# says: "A  .GIT/x"
# way: -
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir xgit
echo x >xgit/x
old xgit/x
commit
forge .git/index 's/xgit\/x/.GIT\/x/g or die "not found\n"'
mv xgit .GIT
