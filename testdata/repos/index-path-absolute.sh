#!/usr/bin/env bash
# hazard: An index entry with an absolute path.
# verdict: refused
# refused: unsafe-path
# git: dirty
# says: "AD /z/x"
# says: "?? zz/x"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir zz
echo x >zz/x
commit
forge .git/index 's/zz\/x/\/z\/x/g or die "not found\n"'
