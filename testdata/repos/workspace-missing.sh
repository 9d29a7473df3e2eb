#!/usr/bin/env bash
# hazard: There is no workspace.
# verdict: refused
# refused: workspace-missing
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain other
