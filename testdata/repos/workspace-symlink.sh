#!/usr/bin/env bash
# hazard: The workspace is a symbolic link to a clean checkout.
# verdict: refused
# refused: workspace-missing
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain real
ln -s real ../ws
