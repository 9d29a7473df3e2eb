#!/usr/bin/env bash
# hazard: HEAD's tree lists its entries out of order.
# verdict: refused
# refused: git-failed not-clean unsupported-repository
# git: dirty
# says: "A  a"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
a=$(git rev-parse :a.txt)
entry() { printf '100644 %s\0' "$1"; printf '%s' "$a" | perl -ne 'print pack "H*", $_'; }
tree=$({ entry z; entry a; } | git hash-object -w --literally -t tree --stdin)
git update-ref refs/heads/main "$(git commit-tree -m odd "$tree")"
cp -p a.txt z
mv a.txt a
rm -r d
git add -A
