#!/usr/bin/env bash
# hazard: The workspace is a folder of a repository, not its root.
# verdict: refused
# refused: not-root
# git: clean
# way: -
# workspace: ws/d
set -eu
. "$FIXTURE/prelude.bash"

plain
