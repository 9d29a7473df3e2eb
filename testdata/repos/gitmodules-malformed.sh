#!/usr/bin/env bash
# hazard: A .gitmodules file that is no configuration file, and no gitlink.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '[[[ nonsense' >.gitmodules
old .gitmodules
commit
