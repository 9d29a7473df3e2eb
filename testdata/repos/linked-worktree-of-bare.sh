#!/usr/bin/env bash
# hazard: A linked worktree of a bare repository: the shared configuration says core.bare=true, which holds for the main worktree only.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain seed
git clone -q --bare --template= . ../store.git
git -C ../store.git worktree add -q ../ws
