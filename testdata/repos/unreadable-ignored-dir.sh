#!/usr/bin/env bash
# hazard: An ignored folder that cannot be listed is pruned before anybody tries.
# verdict: clean
# git: clean
# way: own
# needs: unprivileged
set -eu
. "$FIXTURE/prelude.bash"

plain
echo /u/ >.git/info/exclude
mkdir u
chmod 000 u
