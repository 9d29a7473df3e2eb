#!/usr/bin/env bash
# hazard: A nested repository in an ignored folder.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo /vendor/ >.git/info/exclude
git init -q --template= vendor/nest
