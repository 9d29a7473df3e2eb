#!/usr/bin/env bash
# hazard: An index with the extensions EOIE and IEOT.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git -c index.threads=4 -c index.recordOffsetTable=true -c index.recordEndOfIndexEntries=true update-index --index-version 2
git -c index.threads=4 -c index.recordOffsetTable=true -c index.recordEndOfIndexEntries=true read-tree HEAD
git update-index -q --refresh
