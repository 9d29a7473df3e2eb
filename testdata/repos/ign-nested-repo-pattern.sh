#!/usr/bin/env bash
# hazard: A pattern hides everything in a nested repository but not the repository itself.
# verdict: dirty
# git: dirty
# says: "?? nest/"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo 'nest/*' >.git/info/exclude
git init -q --template= nest
echo x >nest/f
