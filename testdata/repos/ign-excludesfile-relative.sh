#!/usr/bin/env bash
# hazard: core.excludesFile as a relative path.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.log' >ignore
commit
git config core.excludesFile ignore
touch x.log
