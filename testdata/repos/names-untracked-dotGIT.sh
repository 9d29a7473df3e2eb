#!/usr/bin/env bash
# hazard: An untracked folder called .GIT is a folder like any other here.
# verdict: dirty
# git: dirty
# says: "?? d/.GIT/x"
# way: own
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir d/.GIT
echo x >d/.GIT/x
