#!/usr/bin/env bash
# hazard: Valueless boolean keys.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '[core]\n\tignorecase\n\tlogallrefupdates\n' >>.git/config
touch a.txt
