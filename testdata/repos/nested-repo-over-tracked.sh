#!/usr/bin/env bash
# hazard: A tracked folder became a repository of its own, with a file that is not tracked out here.
# verdict: dirty
# git: dirty
# says: "?? d/x"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git init -q --template= d
echo x >d/x
