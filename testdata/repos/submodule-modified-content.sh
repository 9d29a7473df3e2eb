#!/usr/bin/env bash
# hazard: A submodule with modified content.
# verdict: refused
# refused: unsupported-repository
# git: dirty
# says: " M sub"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
submodule sub
echo more >>sub/s
