#!/usr/bin/env bash
# hazard: core.autocrlf is neither a boolean nor input.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.autocrlf perhaps
touch a.txt
