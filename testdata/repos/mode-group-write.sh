#!/usr/bin/env bash
# hazard: Modes 0664 and 0600: no change for git.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
chmod 664 a.txt
chmod 600 d/b.txt
