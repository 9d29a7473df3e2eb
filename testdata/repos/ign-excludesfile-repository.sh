#!/usr/bin/env bash
# hazard: Ignored by core.excludesFile in the repository's configuration, with an absolute path into the worktree.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.log' >ignore
commit
git config core.excludesFile "$PWD/ignore"
touch x.log
