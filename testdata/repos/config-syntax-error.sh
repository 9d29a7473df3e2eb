#!/usr/bin/env bash
# hazard: A syntax error in the repository's configuration.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '[core' >>.git/config
