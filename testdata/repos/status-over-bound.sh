#!/usr/bin/env bash
# hazard: A status of more than 32,768 bytes.
# verdict: refused
# refused: over-bound not-clean
# git: dirty
# says: 200 entries
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
long=$(printf 'n%.0s' $(seq 200))
seq -f "$long%03.0f" 1 200 | xargs touch
