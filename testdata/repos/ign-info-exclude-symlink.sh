#!/usr/bin/env bash
# hazard: info/exclude is a symbolic link.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.log' >../rules
ln -s ../../../rules .git/info/exclude
touch x.log
