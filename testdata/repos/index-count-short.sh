#!/usr/bin/env bash
# hazard: The index header promises fewer entries than there are, so that a tracked file is taken for an extension.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
forge .git/index 'substr($_, 8, 4) = pack("N", 1)'
