#!/usr/bin/env bash
# hazard: extensions.preciousObjects.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.repositoryFormatVersion 1
git config extensions.preciousObjects true
