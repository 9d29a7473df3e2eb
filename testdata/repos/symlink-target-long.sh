#!/usr/bin/env bash
# hazard: A symbolic link with the longest target that the system allows.
# verdict: clean
# git: clean
# way: own
# needs: linux
set -eu
. "$FIXTURE/prelude.bash"

plain
ln -s "$(printf 'x%.0s' $(seq 4095))" l
commit
