#!/usr/bin/env bash
# hazard: A tracked file was replaced by a device node.
# verdict: refused
# refused: unsupported-change not-clean
# git: dirty
# says: " M a.txt"
# way: -
# needs: root linux
set -eu
. "$FIXTURE/prelude.bash"

plain
rm a.txt
mknod a.txt c 1 3
