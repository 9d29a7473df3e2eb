#!/usr/bin/env bash
# hazard: All seven kinds of conflict at once.
# verdict: refused
# refused: flagged-index
# git: dirty
# says: "DD kind-1"
# says: "UD kind-12"
# says: "UU kind-123"
# says: "DU kind-13"
# says: "AU kind-2"
# says: "AA kind-23"
# says: "UA kind-3"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
x=$(git rev-parse :a.txt)
for kind in 1 2 3 12 13 23 123; do
	for stage in 1 2 3; do
		case $kind in *$stage*) printf '100644 %s %s\tkind-%s\n' "$x" "$stage" "$kind" ;; esac
	done
done | git update-index --index-info
