#!/usr/bin/env bash
# hazard: The workspace is a submodule's checkout with an edit; the superproject is told to ignore it.
# verdict: dirty
# git: dirty
# says: " M a"
# way: -
# workspace: super/sub
set -eu
. "$FIXTURE/prelude.bash"

plain super
mkdir .git/modules
git init -q -b main --template= --separate-git-dir=.git/modules/sub sub
git config submodule.sub.ignore all
cd sub
git config core.worktree ../../../sub
echo alpha >a
old a
commit
echo more >>a
