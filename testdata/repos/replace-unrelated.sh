#!/usr/bin/env bash
# hazard: A replacement of an object that has nothing to do with HEAD, packed.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
a=$(echo a | git hash-object -w --stdin)
b=$(echo b | git hash-object -w --stdin)
git replace "$a" "$b"
git pack-refs --all
