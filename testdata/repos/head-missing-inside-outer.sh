#!/usr/bin/env bash
# hazard: The HEAD file is missing and an outer repository that ignores the folder says clean.
# verdict: refused
# refused: git-failed not-root
# git: clean
# way: -
# workspace: outer/ws
set -eu
. "$FIXTURE/prelude.bash"

plain outer
echo /ws/ >.gitignore
commit ignore
new ws
echo x >x
commit
rm .git/HEAD
