#!/usr/bin/env bash
# hazard: A replacement reference that names a missing object, of an object that nobody reads.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir -p .git/refs/replace
echo 0123456789012345678901234567890123456789 >".git/refs/replace/$(echo a | git hash-object --stdin)"
