#!/usr/bin/env bash
# hazard: An optional extension (upper case) that nobody knows.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
forge .git/index '$_ .= "ZZZZ" . pack("N", 3) . "abc"'
