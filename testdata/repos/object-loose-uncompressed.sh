#!/usr/bin/env bash
# hazard: Loose objects stored without compression.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.looseCompression 0
git config core.compression 0
echo more >>a.txt
commit two
