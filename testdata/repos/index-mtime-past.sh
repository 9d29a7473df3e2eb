#!/usr/bin/env bash
# hazard: The index file's own time is long before its entries': everything is racy.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
touch a.txt
git update-index -q --refresh
old .git/index
