#!/usr/bin/env bash
# hazard: A required extension (lower case) that nobody knows.
# verdict: refused
# refused: git-failed unsupported-repository
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
forge .git/index '$_ .= "zzzz" . pack("N", 3) . "abc"'
