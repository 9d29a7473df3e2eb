#!/usr/bin/env bash
# hazard: A tracked file that an exclude rule matches is still compared.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*' >.git/info/exclude
echo more >>a.txt
