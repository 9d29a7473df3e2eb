#!/usr/bin/env bash
# hazard: An unknown extension in a version-1 repository.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.repositoryFormatVersion 1
git config extensions.fixture true
