#!/usr/bin/env bash
# hazard: An index entry that ends in a slash.
# verdict: refused
# refused: unsafe-path git-failed
# git: dirty
# says: " D zzx/"
# says: "?? zz/x"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir zz
echo x >zz/x
commit
forge .git/index 's/zz\/x/zzx\//g or die "not found\n"'
