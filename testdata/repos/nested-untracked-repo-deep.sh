#!/usr/bin/env bash
# hazard: A nested repository in an untracked folder beside another untracked file.
# verdict: dirty
# git: dirty
# says: "?? p/q/nest/"
# says: "?? p/x"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir -p p/q
echo x >p/x
git init -q --template= p/q/nest
