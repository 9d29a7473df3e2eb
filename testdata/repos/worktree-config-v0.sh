#!/usr/bin/env bash
# hazard: extensions.worktreeConfig in a version-0 repository.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config extensions.worktreeConfig true
git config --worktree user.name Fixture
