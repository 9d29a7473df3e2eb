#!/usr/bin/env bash
# hazard: A tracked symbolic link whose target is not UTF-8.
# verdict: clean
# git: clean
# way: own
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

plain
ln -s $'caf\xe9' l
commit
