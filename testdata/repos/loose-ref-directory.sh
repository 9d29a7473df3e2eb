#!/usr/bin/env bash
# hazard: An empty directory stands where the loose branch would be; packed-refs has the value.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git pack-refs --all
mkdir -p .git/refs/heads/main
