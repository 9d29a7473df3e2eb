#!/usr/bin/env bash
# hazard: HEAD's tree has a file of mode 100664, as old histories do: git calls the checkout clean, the index can only make another tree.
# verdict: refused
# refused: not-clean unsupported-repository
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
a=$(git rev-parse :a.txt)
tree=$(printf '100664 a.txt\0' | { cat; printf '%s' "$a" | perl -ne 'print pack "H*", $_'; } | git hash-object -w --literally -t tree --stdin)
git update-ref refs/heads/main "$(git commit-tree -m old "$tree")"
git read-tree HEAD
rm -r d
git update-index -q --refresh
