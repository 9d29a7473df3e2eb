#!/usr/bin/env bash
# hazard: The workspace is a folder inside a git directory.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
# workspace: ws/.git/objects
set -eu
. "$FIXTURE/prelude.bash"

plain
