#!/usr/bin/env bash
# hazard: The repository's configuration file is missing.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
rm .git/config
