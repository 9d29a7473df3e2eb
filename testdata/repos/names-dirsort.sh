#!/usr/bin/env bash
# hazard: Names whose order differs between trees and indexes: a-b, a/b, a.b, a0.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws a
for name in a-b a/b a.b a0 a/-; do echo "$name" >"$name"; done
commit
