#!/usr/bin/env bash
# hazard: Modification times before 1970 and after 2106.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
touch -d '1960-01-01 00:00:00' a.txt
touch -d '2200-01-01 00:00:00' d/b.txt
git update-index -q --refresh
