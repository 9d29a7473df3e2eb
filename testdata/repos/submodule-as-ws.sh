#!/usr/bin/env bash
# hazard: The workspace is a submodule's checkout: a .git file, and core.worktree in the module's configuration.
# verdict: clean
# git: clean
# way: -
# workspace: super/sub
set -eu
. "$FIXTURE/prelude.bash"

plain super
mkdir .git/modules
git init -q -b main --template= --separate-git-dir=.git/modules/sub sub
cd sub
git config core.worktree ../../../sub
echo alpha >a
old a
commit
