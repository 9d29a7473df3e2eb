#!/usr/bin/env bash
# hazard: A detached HEAD in upper-case hexadecimal digits.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git rev-parse HEAD | tr a-f A-F >"$ROOT/upper"
mv "$ROOT/upper" .git/HEAD
