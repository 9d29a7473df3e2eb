#!/usr/bin/env bash
# hazard: A UTF-8 byte order mark before the first pattern.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '\xef\xbb\xbf*.log\n' >.gitignore
commit
touch x.log
