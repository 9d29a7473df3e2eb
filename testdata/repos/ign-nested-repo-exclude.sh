#!/usr/bin/env bash
# hazard: A nested repository whose info/exclude holds a star is still one entry.
# verdict: dirty
# git: dirty
# says: "?? nest/"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git init -q --template= nest
mkdir nest/.git/info
echo '*' >nest/.git/info/exclude
echo x >nest/f
