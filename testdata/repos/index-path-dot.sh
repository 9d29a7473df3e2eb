#!/usr/bin/env bash
# hazard: An index entry with a dot component.
# verdict: refused
# refused: unsafe-path
# git: dirty
# says: "?? zz/xy"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir -p zz/q
echo x >zz/q/xy
old zz/q/xy
commit
forge .git/index 's/zz\/q\/xy/zz\/.\/xy/g or die "not found\n"'
mv zz/q/xy zz/xy
