#!/usr/bin/env bash
# hazard: info/exclude of a separate git directory.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.log' >.git/info/exclude
mv .git ../store
echo 'gitdir: ../store' >.git
touch x.log
