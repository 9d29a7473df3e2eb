#!/usr/bin/env bash
# hazard: A .gitignore above the root counts for nothing.
# verdict: dirty
# git: dirty
# says: "?? u"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

echo '*' >.gitignore
plain
touch u
