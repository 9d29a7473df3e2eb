#!/usr/bin/env bash
# hazard: Every cached time is stale, every content is as recorded.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
touch a.txt d/b.txt
