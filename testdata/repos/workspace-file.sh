#!/usr/bin/env bash
# hazard: The workspace is a regular file.
# verdict: refused
# refused: workspace-missing
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

echo x >ws
