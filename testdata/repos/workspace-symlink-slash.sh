#!/usr/bin/env bash
# hazard: The workspace is a symbolic link to a clean checkout, named with a trailing slash that hides it from lstat.
# verdict: refused
# refused: workspace-missing
# git: clean
# way: -
# workspace: ws/
set -eu
. "$FIXTURE/prelude.bash"

plain real
ln -s real ../ws
