#!/usr/bin/env bash
# hazard: The submodule's HEAD moved.
# verdict: refused
# refused: unsupported-repository
# git: dirty
# says: " M sub"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
submodule sub
git -C sub commit -q --allow-empty -m two
