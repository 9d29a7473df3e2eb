#!/usr/bin/env bash
# hazard: An index entry with two slashes in a row.
# verdict: refused
# refused: unsafe-path
# git: dirty
# says: "?? zz/y"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir zz
echo x >zz/xy
old zz/xy
commit
forge .git/index 's/zz\/xy/zz\/\/y/g or die "not found\n"'
mv zz/xy zz/y
