#!/usr/bin/env bash
# hazard: A hundred folders within each other.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
dir=$(printf 'd/%.0s' $(seq 100))
mkdir -p "$dir"
echo x >"${dir}x"
commit
