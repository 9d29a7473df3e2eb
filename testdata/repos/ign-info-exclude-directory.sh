#!/usr/bin/env bash
# hazard: info/exclude is a folder.
# verdict: refused
# refused: unsupported-change unsupported-repository git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir .git/info/exclude
