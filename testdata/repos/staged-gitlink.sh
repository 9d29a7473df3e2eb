#!/usr/bin/env bash
# hazard: A gitlink is staged and HEAD has none.
# verdict: refused
# refused: unsupported-repository not-clean
# git: dirty
# says: "A  sub"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git init -q --template= sub
git -C sub commit -q --allow-empty -m empty
git update-index --add --cacheinfo "160000,$(git -C sub rev-parse HEAD),sub"
