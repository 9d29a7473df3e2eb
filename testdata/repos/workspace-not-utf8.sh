#!/usr/bin/env bash
# hazard: A checkout whose own name is not UTF-8: no record can hold it.
# verdict: refused
# refused: unsafe-path unsupported-change malformed
# git: clean
# way: -
# needs: byte-names
# workspace: "ws\xff"
set -eu
. "$FIXTURE/prelude.bash"

plain $'ws\xff'
