#!/usr/bin/env bash
# hazard: Index version 4 with names that share, extend and drop prefixes of more than 127 bytes.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
long=$(printf 'x%.0s' $(seq 180))
mkdir -p "$long/deep/deeper" "${long}y"
for name in "$long/a" "$long/ab" "$long/deep/c" "$long/deep/deeper/d" "${long}y/e" z; do echo "$name" >"$name"; done
commit
git update-index --index-version 4
