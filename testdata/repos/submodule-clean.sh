#!/usr/bin/env bash
# hazard: A submodule, clean.
# verdict: refused
# refused: unsupported-repository
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
submodule sub
