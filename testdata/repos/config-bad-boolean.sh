#!/usr/bin/env bash
# hazard: A setting that decides, core.ignoreCase, is no boolean.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.ignoreCase perhaps
touch a.txt
