#!/usr/bin/env bash
# hazard: The workspace is the git directory itself.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
# workspace: ws/.git
set -eu
. "$FIXTURE/prelude.bash"

plain
