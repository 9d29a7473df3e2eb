#!/usr/bin/env bash
# hazard: The branch file is a symbolic link that spells a full reference name.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git branch other
rm .git/refs/heads/main
ln -s refs/heads/other .git/refs/heads/main
