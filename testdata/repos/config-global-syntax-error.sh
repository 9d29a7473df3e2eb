#!/usr/bin/env bash
# hazard: A syntax error in the user's configuration.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
echo 'nonsense [' >~/.gitconfig
