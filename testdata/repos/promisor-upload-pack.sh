#!/usr/bin/env bash
# hazard: HEAD's tree is missing and the promisor remote's upload-pack command is planted.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
trap_command ../fetch
mkdir ../empty
git config remote.evil.url "$ROOT/empty"
git config remote.evil.uploadpack "$ROOT/fetch"
git config remote.evil.promisor true
git config protocol.file.allow always
rm -f "$(loose "$(git rev-parse HEAD^{tree})")" .git/index
