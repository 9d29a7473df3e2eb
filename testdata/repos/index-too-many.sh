#!/usr/bin/env bash
# hazard: 16,385 tracked files, one over the bound; none is on disk, so that the fixture is cheap.
# verdict: refused
# refused: flagged-index over-bound not-clean
# git: dirty
# says: 16383 entries
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
id=$(git rev-parse :a.txt)
seq -f "100644 $id	n%05.0f" 1 16383 | git update-index --index-info
git commit -q -m many
