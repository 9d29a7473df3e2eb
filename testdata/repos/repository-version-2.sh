#!/usr/bin/env bash
# hazard: core.repositoryFormatVersion=2.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.repositoryFormatVersion 2
