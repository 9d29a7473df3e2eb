#!/usr/bin/env bash
# hazard: An unknown extension in a version-0 repository, which git ignores.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git config extensions.fixture true
