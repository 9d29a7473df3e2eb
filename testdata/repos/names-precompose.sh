#!/usr/bin/env bash
# hazard: core.precomposeUnicode=true and an NFD untracked name: no effect on Linux.
# verdict: dirty
# git: dirty
# says: "?? café"
# way: -
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.precomposeUnicode true
touch $'cafe\xcc\x81'
