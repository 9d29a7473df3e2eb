#!/usr/bin/env bash
# hazard: HEAD's tree has an entry called dot-dot, which the index lacks.
# verdict: refused
# refused: unsafe-path not-clean git-failed unsupported-repository
# git: dirty
# says: "D  .."
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
a=$(git rev-parse :a.txt)
{
	printf '100644 ..\0'
	printf '%s' "$a" | perl -ne 'print pack "H*", $_'
	git cat-file tree HEAD^{tree}
} >../raw
tree=$(git hash-object -w --literally -t tree ../raw)
git update-ref refs/heads/main "$(git commit-tree -m odd "$tree")"
