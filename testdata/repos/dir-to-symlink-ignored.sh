#!/usr/bin/env bash
# hazard: The same, with the link hidden by an exclude rule.
# verdict: dirty
# git: dirty
# says: " D d/b.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo d >.git/info/exclude
mv d ../copy
ln -s ../copy d
