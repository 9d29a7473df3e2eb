#!/usr/bin/env bash
# hazard: The submodule's folder was removed.
# verdict: refused
# refused: unsupported-repository
# git: dirty
# says: " D sub"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
submodule sub
rm -rf sub
