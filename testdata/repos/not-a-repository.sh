#!/usr/bin/env bash
# hazard: The workspace is a plain directory outside any repository.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

mkdir ws
echo x >ws/x
