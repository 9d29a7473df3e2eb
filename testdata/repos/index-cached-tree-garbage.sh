#!/usr/bin/env bash
# hazard: The cached trees' extension holds garbage.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
forge .git/index 's/TREE\0\0\0(.)(.*)/"TREE\0\0\0$1" . "x" x length $2/es or die "not found\n"'
