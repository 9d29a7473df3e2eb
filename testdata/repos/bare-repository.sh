#!/usr/bin/env bash
# hazard: The workspace is a bare repository.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain seed
git clone -q --bare --template= . ../ws
