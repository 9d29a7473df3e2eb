#!/usr/bin/env bash
# hazard: A tracked folder became a repository of its own and holds what is tracked out here.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git init -q --template= d
