#!/usr/bin/env bash
# hazard: HEAD's commit has an encoding, a signature, an unknown header and no newline at its end.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
tree=$(git rev-parse HEAD^{tree})
id=$(printf 'tree %s\nauthor  <> 0 +0000\ncommitter A <a@b> 99999999999 -9999\nencoding latin1\ngpgsig -----BEGIN\n x\n\n -----END\nunknown a\n\n\xe9' "$tree" | git hash-object -w --literally -t commit --stdin)
git update-ref refs/heads/main "$id"
