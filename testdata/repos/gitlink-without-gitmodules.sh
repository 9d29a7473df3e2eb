#!/usr/bin/env bash
# hazard: A gitlink without a .gitmodules file.
# verdict: refused
# refused: unsupported-repository
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
submodule sub
git rm -q --cached .gitmodules
rm .gitmodules
git commit -q -m bare
