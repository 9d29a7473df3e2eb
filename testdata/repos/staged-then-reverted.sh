#!/usr/bin/env bash
# hazard: A staged change, the worktree restored to HEAD's content.
# verdict: dirty
# git: dirty
# says: "MM a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
cp -p a.txt ../kept
echo more >>a.txt
git add a.txt
cp -p ../kept a.txt
