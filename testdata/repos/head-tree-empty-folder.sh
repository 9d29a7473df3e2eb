#!/usr/bin/env bash
# hazard: HEAD's tree has an empty subtree, which no index can hold: git calls the checkout clean.
# verdict: refused
# refused: not-clean unsupported-repository
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
empty=$(git mktree </dev/null)
{
	git ls-tree HEAD
	printf '040000 tree %s\te\n' "$empty"
} | git mktree >../tree
git update-ref refs/heads/main "$(git commit-tree -m odd "$(cat ../tree)")"
git read-tree HEAD
git update-index -q --refresh
