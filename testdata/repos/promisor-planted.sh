#!/usr/bin/env bash
# hazard: HEAD's tree is missing and a planted promisor remote would run a command to fetch it.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
trap_command ../fetch
git config remote.evil.url "ext::$ROOT/fetch %S"
git config remote.evil.promisor true
git config protocol.ext.allow always
git config core.repositoryFormatVersion 1
git config extensions.partialClone evil
rm -f "$(loose "$(git rev-parse HEAD^{tree})")" .git/index
