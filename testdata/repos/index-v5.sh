#!/usr/bin/env bash
# hazard: An index of a version that does not exist.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
forge .git/index 'substr($_, 4, 4) = raw("00000005")'
