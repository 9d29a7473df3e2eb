#!/usr/bin/env bash
# hazard: extensions.objectFormat=sha256 planted in a version-0 repository.
# verdict: refused
# refused: git-failed unsupported-repository sha256-repository
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git config extensions.objectFormat sha256
