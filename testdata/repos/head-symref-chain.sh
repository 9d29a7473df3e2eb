#!/usr/bin/env bash
# hazard: HEAD names a branch that is itself a symbolic reference.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git symbolic-ref refs/heads/alias refs/heads/main
git symbolic-ref HEAD refs/heads/alias
