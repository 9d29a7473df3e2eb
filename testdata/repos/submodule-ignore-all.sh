#!/usr/bin/env bash
# hazard: A modified submodule that the configuration says to ignore.
# verdict: refused
# refused: unsupported-repository
# git: dirty
# says: " M sub"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
submodule sub
git config submodule.sub.ignore all
git config diff.ignoreSubmodules all
echo more >>sub/s
