#!/usr/bin/env bash
# hazard: extensions.noop, which means nothing.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.repositoryFormatVersion 1
git config extensions.noop true
