#!/usr/bin/env bash
# hazard: core.repositoryFormatVersion is no number.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '[core]\n\trepositoryFormatVersion = one\n' >.git/config
