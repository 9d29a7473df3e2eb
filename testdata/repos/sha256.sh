#!/usr/bin/env bash
# hazard: A SHA-256 repository.
# verdict: refused
# refused: sha256-repository
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

git init -q --object-format=sha256 --template= ws
cd ws
echo a >a
commit
